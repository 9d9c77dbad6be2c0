//! Pixel memory of the program as the C ABI hands it over: bytes, an offset into a bound buffer, or nothing.

/// Source of an upload.
#[derive(Clone, Copy, Debug)]
pub enum Pixels<'a> {
    /// A null pointer without an unpack buffer: storage without content.
    Null,
    /// Offset into the bound `GL_PIXEL_UNPACK_BUFFER`.
    Offset(usize),
    /// Client memory, exactly as many bytes as the unpack state makes the call read.
    Bytes(&'a [u8]),
}

/// Destination of a read-back.
#[derive(Debug)]
pub enum PixelsOut<'a> {
    /// Offset into the bound `GL_PIXEL_PACK_BUFFER`.
    Offset(usize),
    /// Client memory, exactly as many bytes as the pack state makes the call write.
    Bytes(&'a mut [u8]),
}
