//! A record as one line of text: names from the catalogue, staged bytes by size and hash, so that two recordings of one
//! program give equal text wherever its bytes were staged. Must not know any session.

use mgl_base::hash::content_hash;
use mgl_link::recording::Recorded;
use mgl_pipe::records::{CreateRenderState, SetDynamicState};
use mgl_pipe::render_state::{Chunk, DYNAMIC_CHUNKS, DynamicState, PIPELINE_CHUNKS, PipelineState, scatter_chunks};
use mgl_pipe::show::{FieldInfo, Show, fields};
use mgl_pipe::{Blob, Record, RecordInfo};
use std::fmt;
use zerocopy::{FromBytes, FromZeros, IntoBytes};

/// Text in which staged bytes are named by what they are.
struct Line<'a> {
    text: String,
    record: &'a Recorded,
}

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.text.push_str(s);
        Ok(())
    }
}

impl Show for Line<'_> {
    fn blob(&mut self, blob: &Blob) -> fmt::Result {
        let run = self.record.runs().iter().find(|run| run.offset == blob.offset);
        match run.filter(|run| run.bytes.len() as u64 == blob.size) {
            Some(run) => {
                self.text += &format!("<{} bytes {:016x}>", blob.size, content_hash(&run.bytes));
            }
            None => self.text += &format!("<{} bytes outside the segment>", blob.size),
        }
        Ok(())
    }
}

/// The record's name and everything that it carries.
pub(crate) fn line(record: &Recorded) -> String {
    let Some(info) = RecordInfo::of(record.op) else {
        return format!("opcode {} with {} bytes", record.op, record.body().len());
    };
    let mut line = Line { text: format!("{} ", info.name), record };
    // Writing to a string cannot fail.
    let _ = info.show(record.body(), &mut line);
    let mut text = line.text;
    if let Some(state) = carried_state(record) {
        text += &format!(" state={{{state}}}");
    }
    text.truncate(text.trim_end().len());
    text
}

/// The members of render state that a record carries in its chunks.
fn carried_state(record: &Recorded) -> Option<String> {
    let content = &record.runs().first()?.bytes;
    match record.op {
        CreateRenderState::OP => {
            let (head, _) = CreateRenderState::read_from_prefix(record.body()).ok()?;
            let mut block = PipelineState::new_zeroed();
            scatter_chunks(PIPELINE_CHUNKS, head.chunk_mask, content, block.as_mut_bytes()).then_some(())?;
            Some(members(PIPELINE_CHUNKS, head.chunk_mask, PipelineState::FIELDS, block.as_bytes()))
        }
        SetDynamicState::OP => {
            let (head, _) = SetDynamicState::read_from_prefix(record.body()).ok()?;
            let mut block = DynamicState::new_zeroed();
            scatter_chunks(DYNAMIC_CHUNKS, head.chunk_mask, content, block.as_mut_bytes()).then_some(())?;
            Some(members(DYNAMIC_CHUNKS, head.chunk_mask, DynamicState::FIELDS, block.as_bytes()))
        }
        _ => None,
    }
}

/// The fields that lie in the chunks of `mask`.
fn members(chunks: &[Chunk], mask: u32, list: &[FieldInfo], block: &[u8]) -> String {
    let inside = |field: &&FieldInfo| {
        let at = chunks.iter().position(|c| (c.offset..c.offset + c.len).contains(&field.offset));
        at.is_some_and(|at| mask & (1 << at) != 0)
    };
    let carried: Vec<FieldInfo> = list.iter().filter(inside).copied().collect();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = fields(&carried, block, &mut text);
    text
}

/// One line per member of a block; those that differ from `initial` are marked.
pub(crate) fn block(list: &[FieldInfo], block: &[u8], initial: &[u8]) -> Vec<String> {
    let differs = |f: &FieldInfo| block.get(f.offset..f.offset + f.size) != initial.get(f.offset..f.offset + f.size);
    let shown = list.iter().filter(|f| f.ty != "pad").map(|field| {
        let mut text = String::from(if differs(field) { "* " } else { "  " });
        // Writing to a string cannot fail.
        let _ = fields(std::slice::from_ref(field), block, &mut text);
        text
    });
    shown.collect()
}

/// A structure's fields on one line.
pub(crate) fn flat(list: &[FieldInfo], bytes: &[u8]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = fields(list, bytes, &mut text);
    text
}
