//! GL tokens to Vulkan enums. Must not know state blocks. Values were proven when they crossed, so the last arm of every
//! match is its last legal value.

use ash::vk;
use mgl_pipe::tokens::{
    BlendEquation, BlendFactor, CompareFunc, CullFace, LogicOp, PolygonMode, PrimitiveMode, StencilOp,
};

/// Comparison.
pub fn compare(func: CompareFunc) -> vk::CompareOp {
    match func {
        CompareFunc::Never => vk::CompareOp::NEVER,
        CompareFunc::Less => vk::CompareOp::LESS,
        CompareFunc::Equal => vk::CompareOp::EQUAL,
        CompareFunc::Lequal => vk::CompareOp::LESS_OR_EQUAL,
        CompareFunc::Greater => vk::CompareOp::GREATER,
        CompareFunc::Notequal => vk::CompareOp::NOT_EQUAL,
        CompareFunc::Gequal => vk::CompareOp::GREATER_OR_EQUAL,
        _ => vk::CompareOp::ALWAYS,
    }
}

/// Stencil operation.
pub fn stencil_op(op: StencilOp) -> vk::StencilOp {
    match op {
        StencilOp::Zero => vk::StencilOp::ZERO,
        StencilOp::Keep => vk::StencilOp::KEEP,
        StencilOp::Replace => vk::StencilOp::REPLACE,
        StencilOp::Incr => vk::StencilOp::INCREMENT_AND_CLAMP,
        StencilOp::Decr => vk::StencilOp::DECREMENT_AND_CLAMP,
        StencilOp::Invert => vk::StencilOp::INVERT,
        StencilOp::IncrWrap => vk::StencilOp::INCREMENT_AND_WRAP,
        _ => vk::StencilOp::DECREMENT_AND_WRAP,
    }
}

/// Blend factor for a buffer that stores alpha, or for one whose alpha reads as 1 (`rgb_only`, GL 4.6 §17.3.6).
pub fn blend_factor(factor: BlendFactor, rgb_only: bool, alpha_slot: bool) -> vk::BlendFactor {
    match factor {
        BlendFactor::DstAlpha if rgb_only => vk::BlendFactor::ONE,
        BlendFactor::OneMinusDstAlpha if rgb_only => vk::BlendFactor::ZERO,
        BlendFactor::SrcAlphaSaturate if rgb_only && !alpha_slot => vk::BlendFactor::ZERO,
        BlendFactor::Zero => vk::BlendFactor::ZERO,
        BlendFactor::One => vk::BlendFactor::ONE,
        BlendFactor::SrcColor => vk::BlendFactor::SRC_COLOR,
        BlendFactor::OneMinusSrcColor => vk::BlendFactor::ONE_MINUS_SRC_COLOR,
        BlendFactor::SrcAlpha => vk::BlendFactor::SRC_ALPHA,
        BlendFactor::OneMinusSrcAlpha => vk::BlendFactor::ONE_MINUS_SRC_ALPHA,
        BlendFactor::DstAlpha => vk::BlendFactor::DST_ALPHA,
        BlendFactor::OneMinusDstAlpha => vk::BlendFactor::ONE_MINUS_DST_ALPHA,
        BlendFactor::DstColor => vk::BlendFactor::DST_COLOR,
        BlendFactor::OneMinusDstColor => vk::BlendFactor::ONE_MINUS_DST_COLOR,
        BlendFactor::SrcAlphaSaturate => vk::BlendFactor::SRC_ALPHA_SATURATE,
        BlendFactor::ConstantColor => vk::BlendFactor::CONSTANT_COLOR,
        BlendFactor::OneMinusConstantColor => vk::BlendFactor::ONE_MINUS_CONSTANT_COLOR,
        BlendFactor::ConstantAlpha => vk::BlendFactor::CONSTANT_ALPHA,
        BlendFactor::OneMinusConstantAlpha => vk::BlendFactor::ONE_MINUS_CONSTANT_ALPHA,
        BlendFactor::Src1Alpha => vk::BlendFactor::SRC1_ALPHA,
        BlendFactor::Src1Color => vk::BlendFactor::SRC1_COLOR,
        BlendFactor::OneMinusSrc1Color => vk::BlendFactor::ONE_MINUS_SRC1_COLOR,
        _ => vk::BlendFactor::ONE_MINUS_SRC1_ALPHA,
    }
}

/// True for the factors that read the second source.
pub fn reads_second_source(factor: BlendFactor) -> bool {
    matches!(
        factor,
        BlendFactor::Src1Alpha
            | BlendFactor::Src1Color
            | BlendFactor::OneMinusSrc1Color
            | BlendFactor::OneMinusSrc1Alpha
    )
}

/// Blend equation.
pub fn blend_op(equation: BlendEquation) -> vk::BlendOp {
    match equation {
        BlendEquation::Add => vk::BlendOp::ADD,
        BlendEquation::Min => vk::BlendOp::MIN,
        BlendEquation::Max => vk::BlendOp::MAX,
        BlendEquation::Subtract => vk::BlendOp::SUBTRACT,
        _ => vk::BlendOp::REVERSE_SUBTRACT,
    }
}

/// Logic operation.
pub fn logic_op(op: LogicOp) -> vk::LogicOp {
    match op {
        LogicOp::Clear => vk::LogicOp::CLEAR,
        LogicOp::And => vk::LogicOp::AND,
        LogicOp::AndReverse => vk::LogicOp::AND_REVERSE,
        LogicOp::Copy => vk::LogicOp::COPY,
        LogicOp::AndInverted => vk::LogicOp::AND_INVERTED,
        LogicOp::Noop => vk::LogicOp::NO_OP,
        LogicOp::Xor => vk::LogicOp::XOR,
        LogicOp::Or => vk::LogicOp::OR,
        LogicOp::Nor => vk::LogicOp::NOR,
        LogicOp::Equiv => vk::LogicOp::EQUIVALENT,
        LogicOp::Invert => vk::LogicOp::INVERT,
        LogicOp::OrReverse => vk::LogicOp::OR_REVERSE,
        LogicOp::CopyInverted => vk::LogicOp::COPY_INVERTED,
        LogicOp::OrInverted => vk::LogicOp::OR_INVERTED,
        LogicOp::Nand => vk::LogicOp::NAND,
        _ => vk::LogicOp::SET,
    }
}

/// Culled faces; Vulkan too culls polygons only.
pub fn cull_mode(face: CullFace) -> vk::CullModeFlags {
    match face {
        CullFace::Front => vk::CullModeFlags::FRONT,
        CullFace::Back => vk::CullModeFlags::BACK,
        _ => vk::CullModeFlags::FRONT_AND_BACK,
    }
}

/// Polygon mode.
pub fn polygon_mode(mode: PolygonMode) -> vk::PolygonMode {
    match mode {
        PolygonMode::Point => vk::PolygonMode::POINT,
        PolygonMode::Line => vk::PolygonMode::LINE,
        _ => vk::PolygonMode::FILL,
    }
}

/// Topology. A line loop is drawn as a strip over generated indices.
pub fn topology(mode: PrimitiveMode) -> vk::PrimitiveTopology {
    match mode {
        PrimitiveMode::Points => vk::PrimitiveTopology::POINT_LIST,
        PrimitiveMode::Lines => vk::PrimitiveTopology::LINE_LIST,
        PrimitiveMode::LineLoop | PrimitiveMode::LineStrip => vk::PrimitiveTopology::LINE_STRIP,
        PrimitiveMode::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
        PrimitiveMode::TriangleStrip => vk::PrimitiveTopology::TRIANGLE_STRIP,
        PrimitiveMode::TriangleFan => vk::PrimitiveTopology::TRIANGLE_FAN,
        PrimitiveMode::LinesAdjacency => vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY,
        PrimitiveMode::LineStripAdjacency => vk::PrimitiveTopology::LINE_STRIP_WITH_ADJACENCY,
        PrimitiveMode::TrianglesAdjacency => vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY,
        PrimitiveMode::TriangleStripAdjacency => vk::PrimitiveTopology::TRIANGLE_STRIP_WITH_ADJACENCY,
        _ => vk::PrimitiveTopology::PATCH_LIST,
    }
}

/// True for topologies without connectivity, where restart needs `primitiveTopologyListRestart`.
pub fn is_list(topology: vk::PrimitiveTopology) -> bool {
    matches!(
        topology,
        vk::PrimitiveTopology::POINT_LIST
            | vk::PrimitiveTopology::LINE_LIST
            | vk::PrimitiveTopology::TRIANGLE_LIST
            | vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY
            | vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY
            | vk::PrimitiveTopology::PATCH_LIST
    )
}

/// The list topology that stands for a class: what a pipeline with dynamic topology is made with.
pub fn class_of(topology: vk::PrimitiveTopology) -> vk::PrimitiveTopology {
    match topology {
        vk::PrimitiveTopology::POINT_LIST => vk::PrimitiveTopology::POINT_LIST,
        vk::PrimitiveTopology::LINE_LIST
        | vk::PrimitiveTopology::LINE_STRIP
        | vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY
        | vk::PrimitiveTopology::LINE_STRIP_WITH_ADJACENCY => vk::PrimitiveTopology::LINE_LIST,
        vk::PrimitiveTopology::PATCH_LIST => vk::PrimitiveTopology::PATCH_LIST,
        _ => vk::PrimitiveTopology::TRIANGLE_LIST,
    }
}
