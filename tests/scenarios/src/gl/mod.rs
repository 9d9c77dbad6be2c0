//! A small, safe way to call the driver under test: one [`Gl`] is one context with a surface. Must not know lanes or
//! scenarios.

use std::ops::Deref;

pub mod buffer;
pub mod check;
mod debug_arb;
pub mod direct;
pub mod draw;
pub mod egl;
mod extensions;
mod load;
pub mod memory;
pub mod names;
pub mod plain;
pub mod pointers;
pub mod program;
pub mod query;
pub mod read;
mod stages;
pub mod texture;
/// GL tokens by their names without the prefix: the same list the state machine uses, which is the registry's.
#[path = "../../../../crates/client/gl/src/tables/tokens.rs"]
pub mod tokens;

use egl::{Driver, Opaque, token};

/// The callback of `glDebugMessageCallback`.
pub type DebugProc = Option<extern "C" fn(u32, u32, u32, u32, i32, *const std::ffi::c_char, *const std::ffi::c_void)>;

/// Values that buffers and pictures are made of.
pub trait Data: zerocopy::IntoBytes + zerocopy::FromBytes + zerocopy::Immutable + Copy {}
impl<T: zerocopy::IntoBytes + zerocopy::FromBytes + zerocopy::Immutable + Copy> Data for T {}

/// Width and height of the surface of every context.
pub const SIZE: i32 = 64;

/// What a context is made like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    /// A debug context.
    pub debug: bool,
    /// A robust context that is told when it is lost.
    pub robust: bool,
    /// A multisampled surface.
    pub multisampled: bool,
}

/// A context, its surface, and the commands.
pub struct Gl {
    driver: &'static Driver,
    config: Opaque,
    context: Opaque,
    surface: Opaque,
}

impl Deref for Gl {
    type Target = plain::Plain;
    fn deref(&self) -> &Self::Target {
        &self.driver.plain
    }
}

impl Gl {
    /// A context of its own, current on this thread, with an RGBA8 surface that has depth and stencil, all cleared: EGL
    /// leaves the contents of a new surface undefined.
    pub fn new(driver: &'static Driver, wishes: Wishes) -> Result<Self, String> {
        Self::create(driver, wishes, Opaque::NONE).and_then(|gl| {
            if !gl.make_current() {
                return Err(format!("eglMakeCurrent failed with {:#x}", driver.error()));
            }
            gl.clear_all();
            Ok(gl)
        })
    }

    /// A context that shares objects with this one; not current anywhere.
    pub fn sharing(&self) -> Self {
        Self::create(self.driver, Wishes::default(), self.context).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A context that shares nothing with this one; not current anywhere.
    pub fn stranger(&self, wishes: Wishes) -> Self {
        Self::create(self.driver, wishes, Opaque::NONE).unwrap_or_else(|error| panic!("{error}"))
    }

    fn create(driver: &'static Driver, wishes: Wishes, share: Opaque) -> Result<Self, String> {
        let samples = if wishes.multisampled { 4 } else { 0 };
        let configs = driver.configs(&[
            token::SURFACE_TYPE,
            token::PBUFFER_BIT,
            token::RENDERABLE_TYPE,
            token::OPENGL_BIT,
            token::ALPHA_SIZE,
            8,
            token::DEPTH_SIZE,
            24,
            token::STENCIL_SIZE,
            8,
            token::SAMPLES,
            samples,
        ]);
        let config = *configs.first().ok_or("no configuration has RGBA8, depth and stencil")?;
        let mut attributes = vec![token::CONTEXT_MAJOR_VERSION, 3, token::CONTEXT_MINOR_VERSION, 3];
        if wishes.debug {
            attributes.extend([token::CONTEXT_OPENGL_DEBUG, 1]);
        }
        if wishes.robust {
            let told = [token::CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, token::LOSE_CONTEXT_ON_RESET];
            attributes.extend([token::CONTEXT_OPENGL_ROBUST_ACCESS, 1]);
            attributes.extend(told);
        }
        let context = driver.create_context(config, share, &attributes);
        let surface = driver.create_pbuffer(config, (SIZE, SIZE));
        if context.exists() && surface.exists() {
            Ok(Self { driver, config, context, surface })
        } else {
            Err(format!("no context or surface; EGL says {:#x}", driver.error()))
        }
    }

    /// Makes this context and its surface current on this thread.
    pub fn make_current(&self) -> bool {
        self.driver.make_current(self.surface, self.surface, self.context)
    }

    /// Makes no context current on this thread.
    pub fn release(&self) -> bool {
        self.driver.make_current(Opaque::NONE, Opaque::NONE, Opaque::NONE)
    }

    /// Ends a frame.
    pub fn swap(&self) {
        assert!(self.driver.swap_buffers(self.surface), "eglSwapBuffers failed with {:#x}", self.driver.error());
    }

    /// The EGL side, for scenarios about surfaces.
    pub fn egl(&self) -> &'static Driver {
        self.driver
    }

    /// Configuration, context and surface.
    pub fn handles(&self) -> (Opaque, Opaque, Opaque) {
        (self.config, self.context, self.surface)
    }

    fn raw(&self) -> &'static pointers::Pointers {
        &self.driver.pointers
    }
}

impl Drop for Gl {
    fn drop(&mut self) {
        if self.driver.current_context() == self.context {
            self.release();
        }
        self.driver.destroy_context(self.context);
        self.driver.destroy_surface(self.surface);
    }
}

/// A number of things as GL wants it.
pub(crate) fn count(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}
