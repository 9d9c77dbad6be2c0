//! A recording as text: one line per record, stable from run to run, and a table of what there was. Must not replay
//! anything.

use crate::error::{Error, Result};
use crate::player::Position;
use crate::source::Source;
use crate::values;
use mgl_base::hash::content_hash;
use mgl_link::recording::{Ending, Entry, Header, Recorded};
use mgl_pipe::Record;
use mgl_pipe::RecordInfo;
use mgl_pipe::records::DrawVbo;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// How the bytes of content are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// By size and hash, on the record's line.
    #[default]
    Hash,
    /// Also whole, as lines of hexadecimal digits.
    Hex,
}

/// What is shown.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only this frame, from 1.
    pub frame: Option<u64>,
    /// Only this flow.
    pub flow: Option<u32>,
    /// How content is shown.
    pub content: Content,
    /// Only the table.
    pub stats: bool,
}

/// Counts of one kind of record.
#[derive(Default)]
struct Kind {
    count: u64,
    bytes: u64,
    content: u64,
}

#[derive(Default)]
struct Stats {
    kinds: BTreeMap<u16, Kind>,
    flows: u64,
    raw: u64,
}

impl Stats {
    fn count(&mut self, record: &Recorded) {
        let kind = self.kinds.entry(record.op).or_default();
        let content: u64 = record.runs().iter().map(|run| run.bytes.len() as u64).sum();
        kind.count += 1;
        kind.bytes += record.body().len() as u64;
        kind.content += content;
        self.raw += record.body().len() as u64 + content;
    }

    fn write(&self, out: &mut dyn Write, position: &Position, of: &str) -> std::io::Result<()> {
        writeln!(out, "\n{:<32} {:>10} {:>12} {:>14}", "record", "count", "bytes", "content bytes")?;
        let mut rows: Vec<_> = self.kinds.iter().collect();
        rows.sort_by_key(|(op, kind)| (std::cmp::Reverse(kind.count), **op));
        for (op, kind) in rows {
            writeln!(out, "{:<32} {:>10} {:>12} {:>14}", name(*op), kind.count, kind.bytes, kind.content)?;
        }
        let Position { calls, draws, frames, .. } = position;
        writeln!(
            out,
            "\n{} flows, {calls} records, {draws} draws, {frames} frames{of}; {} bytes of records and content",
            self.flows, self.raw
        )
    }
}

fn name(op: u16) -> String {
    RecordInfo::of(op).map_or_else(|| format!("opcode {op}"), |info| info.name.to_owned())
}

/// Writes the text of `source`; false when the recording was cut off.
///
/// # Errors
/// [`Error::File`] when the file is damaged, after everything before the damage was written.
pub fn dump(source: &Source, options: &Options, out: &mut dyn Write) -> Result<bool> {
    let mut reader = source.open()?;
    let written = |error: std::io::Error| Error::Write { path: Path::new("the text").into(), why: error.to_string() };
    header(reader.header(), out).map_err(written)?;
    let mut position = Position::default();
    let mut stats = Stats::default();
    let mut shown = false;
    let end = loop {
        let entry = match reader.next() {
            Ok(Some(entry)) => entry,
            Ok(None) => break Ok(reader.ending()),
            Err(error) => break Err(error),
        };
        let frame = position.frames + 1;
        position.count(&entry);
        match &entry {
            Entry::Record(record) => stats.count(record),
            Entry::Flow { .. } => stats.flows += 1,
            _ => {}
        }
        let wanted = options.frame.is_none_or(|wanted| wanted == frame) && of_flow(&entry, options.flow);
        shown |= wanted;
        if wanted && !options.stats {
            show(&entry, &position, options.content, out).map_err(written)?;
        }
    };
    let filtered = options.frame.is_some() || options.flow.is_some();
    if filtered && !shown {
        writeln!(out, "nothing of this frame or flow is in the recording").map_err(written)?;
    }
    stats.write(out, &position, if filtered { " in the whole recording" } else { "" }).map_err(written)?;
    if let Ok(Some(Ending::Truncated { blocks })) = &end {
        writeln!(out, "the recording was cut off; it is whole up to block {blocks}").map_err(written)?;
    }
    end.map(|end| end == Some(Ending::Complete)).map_err(|error| source.wrong(error))
}

fn of_flow(entry: &Entry<'_>, wanted: Option<u32>) -> bool {
    let flow = match entry {
        Entry::Record(record) => record.flow,
        Entry::Flow { flow, .. } | Entry::FlowEnd { flow } => *flow,
        _ => return true,
    };
    wanted.is_none_or(|wanted| wanted == flow)
}

fn header(header: &Header, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "recording of {} on {} ({})", header.program, header.backend, header.transport)?;
    writeln!(out, "build {}, catalogue {:016x}\n", header.build, header.fingerprint)
}

fn show(entry: &Entry<'_>, position: &Position, content: Content, out: &mut dyn Write) -> std::io::Result<()> {
    match entry {
        Entry::Record(record) => {
            let draw = if record.op == DrawVbo::OP { format!("(draw {}) ", position.draws) } else { String::new() };
            writeln!(out, "#{} f{} {draw}{}", position.calls, record.flow, values::line(record))?;
            if content == Content::Hex { hex(record, out) } else { Ok(()) }
        }
        Entry::Flow { flow, share: 0, .. } => writeln!(out, "flow {flow} begins"),
        Entry::Flow { flow, share, .. } => writeln!(out, "flow {flow} begins, shares with flow {share}"),
        Entry::FlowEnd { flow } => writeln!(out, "flow {flow} ends"),
        Entry::Frame { number } => writeln!(out, "--- end of frame {number}"),
        Entry::Fault(fault) => writeln!(out, "the session ended by name: {fault}"),
        Entry::End => writeln!(out, "the session ended in order"),
    }
}

fn hex(record: &Recorded, out: &mut dyn Write) -> std::io::Result<()> {
    for run in record.runs().iter().filter(|run| !run.bytes.is_empty()) {
        writeln!(out, "    {} bytes {:016x}", run.bytes.len(), content_hash(&run.bytes))?;
        for (index, line) in run.bytes.chunks(32).enumerate() {
            let digits: String = line.iter().map(|b| format!("{b:02x}")).collect();
            writeln!(out, "    {:08x} {digits}", index * 32)?;
        }
    }
    Ok(())
}
