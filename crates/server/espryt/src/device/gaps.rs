//! What no OpenGL ES driver can do, under the names by which the backend refuses it: for reports. What only some drivers
//! lack is in the feature table. Must not be consulted by the backend itself.

/// Names of refusals and what they mean in desktop GL.
pub const GAPS: &[(&str, &str)] = &[
    ("PipelineStatisticsQuery", "pipeline statistics"),
    ("TransformFeedbackOverflowQuery", "transform feedback overflow queries"),
    ("GeometryStreams", "several vertex streams of a geometry shader"),
    ("ShaderFloat64", "double precision in shaders"),
    ("ShaderInt64", "64-bit integers in shaders"),
    ("PolygonModePerFace", "different polygon modes for front and back"),
    ("BlitToMultisample", "blits into multisampled framebuffers that convert, scale or are scissored"),
];
