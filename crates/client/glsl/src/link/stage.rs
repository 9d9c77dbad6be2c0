//! One stage of a program while it is being linked, and the messages that linking collects.
//! Must not decide anything across stages.

use std::sync::Arc;

use super::LinkFailure;
use crate::archive::{Stage, StageMask};
use crate::frontend::StageCode;
use crate::frontend::words::KEPT;
use crate::lower::io::{self, IoVar};
use crate::lower::liveness::Uses;
use crate::lower::{LowerError, compat, frag_coord, function_args, groups, uncalled, uniform_copies};
use mgl_spirv::Ir;

/// One stage's module with what was read from it before any rewrite.
pub struct StageIr {
    /// Which stage.
    pub stage: Stage,
    /// The module.
    pub ir: Ir,
    /// Static uses, of the module as the front end left it.
    pub uses: Uses,
    /// Inputs and outputs.
    pub io: Vec<IoVar>,
    /// What the front end said besides the words.
    pub code: Arc<StageCode>,
}

impl StageIr {
    /// Reads a stage.
    pub fn new(stage: Stage, code: Arc<StageCode>) -> Result<Self, LowerError> {
        let mut ir = Ir::load(&code.words)?;
        ir.strip_names(KEPT);
        uncalled::run(&mut ir);
        uniform_copies::run(&mut ir)?;
        function_args::run(&mut ir)?;
        compat::run(&mut ir);
        groups::declare(&mut ir);
        if stage == Stage::Fragment {
            frag_coord::run(&mut ir);
        }
        let uses = Uses::of(&ir);
        let io = io::read(&ir, stage, &uses)?;
        Ok(Self { stage, ir, uses, io, code })
    }
    /// Bit of the stage.
    pub fn bit(&self) -> StageMask {
        self.stage.bit()
    }
}

/// Messages of one link.
#[derive(Debug, Default)]
pub struct Messages {
    errors: Vec<String>,
    warnings: Vec<String>,
}

impl Messages {
    /// An error: the link fails once all checks ran.
    pub fn error(&mut self, text: impl AsRef<str>) {
        self.errors.push(format!("error: {}", text.as_ref()));
    }
    /// A warning.
    pub fn warning(&mut self, text: impl AsRef<str>) {
        self.warnings.push(format!("warning: {}", text.as_ref()));
    }
    /// Fails when there was an error.
    pub fn check(&self) -> Result<(), LinkFailure> {
        if self.errors.is_empty() { Ok(()) } else { Err(LinkFailure { log: self.text() }) }
    }
    /// The info log.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in self.errors.iter().chain(&self.warnings) {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}
