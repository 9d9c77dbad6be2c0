//! Closed token sets that cross. GL tokens keep their GL values (spec 02 §1.6). Must not know records.

wire_enum! {
    /// Primitive mode, GL values.
    pub enum PrimitiveMode: u16 {
        Points = 0, Lines = 1, LineLoop = 2, LineStrip = 3, Triangles = 4, TriangleStrip = 5, TriangleFan = 6,
        LinesAdjacency = 0xA, LineStripAdjacency = 0xB, TrianglesAdjacency = 0xC, TriangleStripAdjacency = 0xD, Patches = 0xE,
    }
}
wire_enum! {
    /// Bytes per index; 0 draws arrays.
    pub enum IndexSize: u8 { Arrays = 0, U8 = 1, U16 = 2, U32 = 4 }
}
wire_enum! {
    /// Resource target (spec 02 §3).
    pub enum ResourceTarget: u8 {
        Buffer = 1, Tex1D = 2, Tex2D = 3, Tex3D = 4, TexRect = 5, TexCube = 6, Tex1DArray = 7, Tex2DArray = 8,
        TexCubeArray = 9, Tex2DMs = 10, Tex2DMsArray = 11, TexBuffer = 12, Renderbuffer = 13,
    }
}
wire_enum! {
    /// Comparison functions, GL values.
    pub enum CompareFunc: u16 {
        Never = 0x200, Less = 0x201, Equal = 0x202, Lequal = 0x203, Greater = 0x204, Notequal = 0x205, Gequal = 0x206, Always = 0x207,
    }
}
wire_enum! {
    /// Stencil operations, GL values.
    pub enum StencilOp: u16 {
        Zero = 0, Keep = 0x1E00, Replace = 0x1E01, Incr = 0x1E02, Decr = 0x1E03, Invert = 0x150A, IncrWrap = 0x8507, DecrWrap = 0x8508,
    }
}
wire_enum! {
    /// Blend factors, GL values.
    pub enum BlendFactor: u16 {
        Zero = 0, One = 1, SrcColor = 0x300, OneMinusSrcColor = 0x301, SrcAlpha = 0x302, OneMinusSrcAlpha = 0x303,
        DstAlpha = 0x304, OneMinusDstAlpha = 0x305, DstColor = 0x306, OneMinusDstColor = 0x307, SrcAlphaSaturate = 0x308,
        ConstantColor = 0x8001, OneMinusConstantColor = 0x8002, ConstantAlpha = 0x8003, OneMinusConstantAlpha = 0x8004,
        Src1Alpha = 0x8589, Src1Color = 0x88F9, OneMinusSrc1Color = 0x88FA, OneMinusSrc1Alpha = 0x88FB,
    }
}
wire_enum! {
    /// Blend equations, GL values.
    pub enum BlendEquation: u16 {
        Add = 0x8006, Min = 0x8007, Max = 0x8008, Subtract = 0x800A, ReverseSubtract = 0x800B,
    }
}
wire_enum! {
    /// Logic operations, GL values.
    pub enum LogicOp: u16 {
        Clear = 0x1500, And = 0x1501, AndReverse = 0x1502, Copy = 0x1503, AndInverted = 0x1504, Noop = 0x1505, Xor = 0x1506, Or = 0x1507,
        Nor = 0x1508, Equiv = 0x1509, Invert = 0x150A, OrReverse = 0x150B, CopyInverted = 0x150C, OrInverted = 0x150D, Nand = 0x150E, Set = 0x150F,
    }
}
wire_enum! {
    /// Face selection, GL values.
    pub enum CullFace: u16 { Front = 0x404, Back = 0x405, FrontAndBack = 0x408 }
}
wire_enum! {
    /// Winding of front faces, GL values.
    pub enum FrontFace: u16 { Cw = 0x900, Ccw = 0x901 }
}
wire_enum! {
    /// Polygon rasterisation mode, GL values.
    pub enum PolygonMode: u16 { Point = 0x1B00, Line = 0x1B01, Fill = 0x1B02 }
}
wire_enum! {
    /// Provoking vertex convention, GL values.
    pub enum ProvokingVertex: u16 { First = 0x8E4D, Last = 0x8E4E }
}
wire_enum! {
    /// Clip control origin, GL values.
    pub enum ClipOrigin: u16 { LowerLeft = 0x8CA1, UpperLeft = 0x8CA2 }
}
wire_enum! {
    /// Clip control depth mode, GL values.
    pub enum ClipDepth: u16 { NegativeOneToOne = 0x935E, ZeroToOne = 0x935F }
}
wire_enum! {
    /// Component type of a vertex attribute, GL values.
    pub enum AttribType: u16 {
        Byte = 0x1400, UnsignedByte = 0x1401, Short = 0x1402, UnsignedShort = 0x1403, Int = 0x1404, UnsignedInt = 0x1405,
        Float = 0x1406, Double = 0x140A, HalfFloat = 0x140B, Fixed = 0x140C, UnsignedInt2101010Rev = 0x8368,
        Int2101010Rev = 0x8D9F, UnsignedInt10F11F11FRev = 0x8C3B,
    }
}
wire_enum! {
    /// Texture filters, GL values.
    pub enum Filter: u16 {
        Nearest = 0x2600, Linear = 0x2601, NearestMipmapNearest = 0x2700, LinearMipmapNearest = 0x2701,
        NearestMipmapLinear = 0x2702, LinearMipmapLinear = 0x2703,
    }
}
wire_enum! {
    /// Texture wrap modes, GL values.
    pub enum Wrap: u16 {
        Repeat = 0x2901, ClampToBorder = 0x812D, ClampToEdge = 0x812F, MirroredRepeat = 0x8370, MirrorClampToEdge = 0x8743,
    }
}
wire_enum! {
    /// Swizzle sources.
    pub enum Swizzle: u8 { Red = 0, Green = 1, Blue = 2, Alpha = 3, Zero = 4, One = 5 }
}
wire_enum! {
    /// Which representation of the border colour is meant (spec 02 §5.3).
    pub enum BorderForm: u8 { Float = 0, Int = 1, Uint = 2 }
}
wire_enum! {
    /// What a sampler makes of the texels it reads.
    pub enum Reduction: u8 { Average = 0, Min = 1, Max = 2 }
}
wire_enum! {
    /// What a depth/stencil texture yields when sampled.
    pub enum DepthStencilMode: u8 { Depth = 0, Stencil = 1 }
}
wire_enum! {
    /// Attachment kind of a surface (spec 02 §6.1).
    pub enum SurfaceKind: u8 { None = 0, Texture = 1, Renderbuffer = 2 }
}
wire_enum! {
    /// How a finished picture lies in memory: rows from the top, pixels in words of 2 or 4 bytes. Names give the components
    /// from the word's most significant bits down, with `X` for bits that read as ones; `Swapped` words are big-endian.
    pub enum PixelLayout: u8 {
        A8R8G8B8 = 1, X8R8G8B8 = 2, A8B8G8R8 = 3, X8B8G8R8 = 4, R5G6B5 = 5, A2R10G10B10 = 6, X2R10G10B10 = 7,
        A2B10G10R10 = 8, X2B10G10R10 = 9, A8R8G8B8Swapped = 10, X8R8G8B8Swapped = 11, R5G6B5Swapped = 12,
        A2R10G10B10Swapped = 13, X2R10G10B10Swapped = 14,
    }
}
wire_enum! {
    /// Which framebuffer binding a record describes (spec 02 §6.2).
    pub enum FramebufferTarget: u8 { Draw = 0, Read = 1, Named = 3 }
}
wire_enum! {
    /// Class of indexed buffer bindings (spec 02 §5.7). Counter buffers have slots among the storage blocks.
    pub enum BufferClass: u32 { Uniform = 0, ShaderStorage = 1 }
}
wire_enum! {
    /// Access of an image unit (spec 02 §5.6).
    pub enum ImageAccess: u8 { Read = 0, Write = 1, ReadWrite = 2 }
}
wire_enum! {
    /// What a draw record is of its draw: all of it, a part that others follow, or the last part.
    pub enum DrawPart: u8 { Whole = 0, More = 1, Last = 2 }
}
wire_enum! {
    /// What a clear clears (spec 02 §9.1).
    pub enum ClearKind: u8 { Whole = 0, Color = 1, Depth = 2, Stencil = 3, DepthStencil = 4 }
}
wire_enum! {
    /// Numeric class of a clear value.
    pub enum ValueClass: u8 { Float = 0, Int = 1, Uint = 2 }
}
wire_enum! {
    /// Query kinds.
    pub enum QueryKind: u32 {
        SamplesPassed = 1, AnySamplesPassed = 2, AnySamplesPassedConservative = 3, PrimitivesGenerated = 4,
        XfbPrimitivesWritten = 5, TimeElapsed = 6, Timestamp = 7, XfbOverflow = 8, XfbStreamOverflow = 9,
        VerticesSubmitted = 10, PrimitivesSubmitted = 11, VertexInvocations = 12, TessControlPatches = 13, TessEvalInvocations = 14,
        GeometryInvocations = 15, GeometryPrimitives = 16, FragmentInvocations = 17, ComputeInvocations = 18,
        ClippingInput = 19, ClippingOutput = 20,
    }
}
wire_enum! {
    /// Aspects of an image that an operation touches, as a set of three bits.
    pub enum Aspects: u8 { Color = 1, Depth = 2, Stencil = 4, DepthStencil = 6 }
}
wire_enum! {
    /// Object kinds in untyped records, numbered as `KindTag`.
    pub enum WireKind: u32 {
        Buffer = 1, Texture = 2, Renderbuffer = 3, Framebuffer = 4, Xfb = 5, RenderStateCso = 6, VertexElementsCso = 7,
        SamplerCso = 8, SamplerViewCso = 9, ShaderCso = 10, Fence = 11, Query = 12, Context = 13,
    }
}
wire_enum! {
    /// Verb classes (spec 04 §1), for checks.
    pub enum VerbClass: u8 {
        Draw = 1, Dispatch = 2, Clear = 3, BlitOrCopy = 4, TextureOp = 5, Readback = 6, XfbSpan = 7, Query = 8,
    }
}
