//! One compiled shader object.
//! Must not know programs: what several shaders mean together is decided by [`link`](crate::link()).

use std::sync::{Arc, OnceLock};

use crate::archive::Stage;
use crate::frontend::{self, FrontEnd, StageCode};
use crate::options::CompileOptions;

/// The outcome of `glCompileShader`.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// `GL_COMPILE_STATUS`.
    pub ok: bool,
    /// `GL_INFO_LOG`, with the program's own line numbers.
    pub log: String,
    /// What a program links; linking a unit whose `ok` is false fails.
    pub unit: Arc<Unit>,
}

/// One compiled shader. Immutable, shared between programs and threads.
#[derive(Debug)]
pub struct Unit {
    pub(crate) stage: Stage,
    pub(crate) source: Arc<str>,
    pub(crate) options: CompileOptions,
    pub(crate) ok: bool,
    /// Result of linking this shader alone, made on first use: the usual program has one shader per stage.
    pub(crate) alone: OnceLock<Result<Arc<StageCode>, String>>,
}

impl Unit {
    /// The unit's stage.
    pub fn stage(&self) -> Stage {
        self.stage
    }
    /// Whether it compiled.
    pub fn ok(&self) -> bool {
        self.ok
    }
    /// The text it was compiled from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// A unit whose verdict is known already; its code is made when a link needs it.
    pub(crate) fn known(stage: Stage, source: &str, options: &CompileOptions, ok: bool) -> Self {
        Self { stage, source: Arc::from(source), options: options.clone(), ok, alone: OnceLock::new() }
    }

    /// A unit that came as SPIR-V; `text` tells it from others.
    pub(crate) fn spirv(
        stage: Stage,
        text: &str,
        options: &CompileOptions,
        ok: bool,
        code: Result<Arc<StageCode>, String>,
    ) -> Self {
        let source = Arc::from(text);
        Self { stage, source, options: options.clone(), ok, alone: OnceLock::from(code) }
    }

    /// SPIR-V of the stage when this is its only shader.
    pub(crate) fn alone(&self, front: &dyn FrontEnd) -> Result<Arc<StageCode>, String> {
        self.alone.get_or_init(|| front.link_stage(self.stage, &[self]).map(Arc::new)).clone()
    }
}

/// Compiles `source` for `stage` (`glCompileShader`). Never fails otherwise than by `ok == false`.
pub fn compile(stage: Stage, source: &str, options: &CompileOptions) -> Compiled {
    let front = frontend::current();
    let checked = front.check(stage, source, options);
    let alone = OnceLock::new();
    if let Some(code) = checked.alone {
        // The cell is new, so setting it cannot fail.
        let _ = alone.set(code.map(Arc::new));
    }
    let unit = Unit { stage, source: Arc::from(source), options: options.clone(), ok: checked.ok, alone };
    Compiled { ok: checked.ok, log: checked.log, unit: Arc::new(unit) }
}
