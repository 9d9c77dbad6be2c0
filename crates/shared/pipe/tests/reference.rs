//! `docs/records.md` is made from the catalogue: `UPDATE_RECORDS=1 cargo test -p mgl-pipe --test reference` writes it, and
//! without the variable the test compares.

use mgl_pipe::{CATALOGUE, RecordInfo};
use std::path::PathBuf;

fn section(row: &RecordInfo) -> String {
    let mut out = format!("\n## {} `{}`\n\n", row.op, row.name);
    for line in row.doc.lines().map(str::trim).filter(|l| !l.is_empty()) {
        out.push_str(line);
        out.push('\n');
    }
    out += &format!("\nClass {:?}, wait {:?}, head {} bytes.\n\n", row.class, row.wait, row.head);
    out.push_str("| offset | bytes | field | type |\n|---|---|---|---|\n");
    for field in row.fields {
        out += &format!("| {} | {} | `{}` | {} |\n", field.offset, field.size, field.name, field.ty);
    }
    for tail in row.tails {
        out += &format!("| tail | {} each | `{}` | {} |\n", tail.element, tail.name, tail.ty);
    }
    out
}

fn page() -> String {
    let mut out = String::from(
        "# MGPipe records\n\nMade from the catalogue in `crates/shared/pipe/src/records` by its test `reference`. Every record has an\n\
         8-byte header `{op: u16, flags: u16, size: u32}` before its head; tails follow the head, each padded to 8 bytes.\n\n\
         | opcode | record | class | wait |\n|---|---|---|---|\n",
    );
    let mut rows: Vec<&RecordInfo> = CATALOGUE.iter().collect();
    rows.sort_by_key(|r| r.op);
    for row in &rows {
        out += &format!("| {} | `{}` | {:?} | {:?} |\n", row.op, row.name, row.class, row.wait);
    }
    for row in &rows {
        out.push_str(&section(row));
    }
    out
}

/// Someone who reads a dump looks a field up on this page; a page that differs from the code would mislead them.
#[test]
fn the_reference_page_is_current() {
    // Asked while running: a build that another clone left in a shared cache must not look at that clone.
    let here: PathBuf =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let path = here.join("../../../docs/records.md");
    if std::env::var_os("UPDATE_RECORDS").is_some() {
        std::fs::write(&path, page()).expect("docs/records.md can be written");
    }
    let on_disk = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        on_disk == page(),
        "docs/records.md is not current: run UPDATE_RECORDS=1 cargo test -p mgl-pipe --test reference"
    );
}
