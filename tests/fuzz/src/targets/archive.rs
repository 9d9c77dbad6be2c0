//! The program archive that a client sends with every link.

use mgl_pipe::archive::{AtomicBuffer, Block, OpaqueResource, ProgramArchive, Uniform};

/// Decodes; what was accepted must survive being encoded again.
pub fn run(data: &[u8]) {
    let Ok(archive) = ProgramArchive::decode(data) else { return };
    let again = archive.encode().and_then(|bytes| ProgramArchive::decode(&bytes));
    assert_eq!(again.as_ref(), Ok(&archive), "an accepted archive cannot be encoded");
}

fn uniform(name: &str, offset: i32) -> Uniform {
    let gl_type = 0x8B52;
    Uniform { name: name.into(), gl_type, array_size: 1, block: -1, atomic_buffer: -1, offset, ..Default::default() }
}

/// Archives of a program with nothing, with loose uniforms, with blocks, samplers and counters.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut archive = ProgramArchive { stages: 0b10001, ..Default::default() };
    let mut out = vec![archive.encode()];
    archive.default_block_size = 32;
    archive.uniforms.push(uniform("tint", 16));
    archive.location_count = 2;
    out.push(archive.encode());
    let opaque = Some(OpaqueResource { count: 1, ..Default::default() });
    archive.uniforms.push(Uniform { location: 1, gl_type: 0x8B5E, opaque, ..uniform("tex", -1) });
    archive.uniform_blocks.push(Block { name: "B".into(), slot: 1, binding: 1, data_size: 16, ..Default::default() });
    out.push(archive.encode());
    archive.storage_blocks.push(Block { name: "S".into(), data_size: 16, ..Default::default() });
    archive.atomic_buffers.push(AtomicBuffer { slot: 1, ..Default::default() });
    out.push(archive.encode());
    out.into_iter().flatten().collect()
}
