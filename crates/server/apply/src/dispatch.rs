//! Opcode to handler. A record without a handler does not compile: `Apply<R>` is missing for it.

use crate::session::Applier;
use mgl_base::Fault;
use mgl_pipe::{Body, Proof, Record, records, with_catalogue};

/// Applies one record type.
pub(crate) trait Apply<R: Record> {
    /// The record is proven field by field; the handler proves it against the object tables.
    fn apply(&mut self, body: Body<'_, R>) -> Result<(), Fault>;
}

macro_rules! dispatcher {
    ($($name:ident),+ $(,)?) => {
        #[allow(clippy::too_many_lines, reason = "one generated arm per record of the catalogue")]
        pub(crate) fn dispatch(applier: &mut Applier<'_>, op: u16, bytes: &[u8]) -> Result<(), Fault> {
            let proof = Proof { stage_len: applier.io.stage_len() };
            match op {
                $(<records::$name as Record>::OP => {
                    applier.apply(Body::<records::$name>::decode(bytes, &proof)?)
                })+
                _ => Err(Fault::corrupt(format!("opcode {op}"))),
            }
        }
    };
}
with_catalogue!(dispatcher);

/// Handlers of records that no client sends: other records carry their data, as their documentation says. One that comes
/// ends the session by its name.
macro_rules! refused {
    ($($name:ident),+ $(,)?) => {$(
        impl Apply<records::$name> for Applier<'_> {
            fn apply(&mut self, _: Body<'_, records::$name>) -> Result<(), Fault> {
                Err(Fault::unsupported(<records::$name as Record>::INFO.name))
            }
        }
    )+};
}
refused! {
    GetCaps, UnmapPersistent, ResidualState, TexturePullDone, BufferSubDataResident, BindShaderImage, PatchParameter, BindStreamOutput,
    SetStorageBlockBinding, SetSwapInterval
}
