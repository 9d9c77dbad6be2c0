//! Which Vulkan query answers which GL query. Must not know pools or command buffers.

use crate::device::DeviceFeatures;
use ash::vk;
use mgl_pipe::tokens::QueryKind;
use smallvec::SmallVec;

/// A Vulkan query type with its vertex stream: at most one of each can be active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Occlusion.
    Occlusion,
    /// All pipeline statistics at once.
    Statistics,
    /// Primitives written and needed, per stream.
    Xfb(u32),
    /// Primitives generated, per stream.
    Generated(u32),
}

/// Word of a segment's result that a query adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// This word.
    Index(usize),
    /// 1 when words 0 and 1 differ (overflow).
    Differ,
}

/// How a kind is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Sources; results are added.
    pub sources: SmallVec<[Source; 4]>,
    /// What is taken from each segment.
    pub word: Word,
    /// The result is a truth value.
    pub boolean: bool,
}

/// Statistics that the device counts.
pub fn statistics(features: &DeviceFeatures) -> vk::QueryPipelineStatisticFlags {
    use vk::QueryPipelineStatisticFlags as F;
    let mut flags = F::INPUT_ASSEMBLY_VERTICES
        | F::INPUT_ASSEMBLY_PRIMITIVES
        | F::VERTEX_SHADER_INVOCATIONS
        | F::CLIPPING_INVOCATIONS
        | F::CLIPPING_PRIMITIVES
        | F::FRAGMENT_SHADER_INVOCATIONS
        | F::COMPUTE_SHADER_INVOCATIONS;
    if features.geometry_shader {
        flags |= F::GEOMETRY_SHADER_INVOCATIONS | F::GEOMETRY_SHADER_PRIMITIVES;
    }
    if features.tessellation_shader {
        flags |= F::TESSELLATION_CONTROL_SHADER_PATCHES | F::TESSELLATION_EVALUATION_SHADER_INVOCATIONS;
    }
    flags
}

/// The plan of a kind, or `None` when the device cannot measure it.
pub fn plan(kind: QueryKind, stream: u32, features: &DeviceFeatures) -> Option<Plan> {
    let one = |source, word, boolean| Some(Plan { sources: SmallVec::from_slice(&[source]), word, boolean });
    let xfb = features.transform_feedback && (stream == 0 || features.geometry_streams);
    match kind {
        QueryKind::SamplesPassed => one(Source::Occlusion, Word::Index(0), false),
        QueryKind::AnySamplesPassed | QueryKind::AnySamplesPassedConservative => {
            one(Source::Occlusion, Word::Index(0), true)
        }
        QueryKind::PrimitivesGenerated
            if features.primitives_generated_query && (stream == 0 || features.primitives_generated_streams) =>
        {
            one(Source::Generated(stream), Word::Index(0), false)
        }
        // What capture needed room for is what the stream generated.
        QueryKind::PrimitivesGenerated if stream != 0 && xfb => one(Source::Xfb(stream), Word::Index(1), false),
        QueryKind::PrimitivesGenerated => {
            statistic(features, vk::QueryPipelineStatisticFlags::CLIPPING_INVOCATIONS).filter(|_| stream == 0)
        }
        QueryKind::XfbPrimitivesWritten if xfb => one(Source::Xfb(stream), Word::Index(0), false),
        QueryKind::XfbStreamOverflow if xfb => one(Source::Xfb(stream), Word::Differ, true),
        QueryKind::XfbOverflow if xfb => {
            let streams = if features.geometry_streams { 4 } else { 1 };
            Some(Plan { sources: (0..streams).map(Source::Xfb).collect(), word: Word::Differ, boolean: true })
        }
        other => statistic(features, flag_of(other)?),
    }
}

fn statistic(features: &DeviceFeatures, flag: vk::QueryPipelineStatisticFlags) -> Option<Plan> {
    let all = statistics(features);
    if !features.pipeline_statistics_query || !all.contains(flag) {
        return None;
    }
    // Results come in the order of the bits that the pool was made with.
    let index = (all.as_raw() & (flag.as_raw() - 1)).count_ones() as usize;
    Some(Plan { sources: SmallVec::from_slice(&[Source::Statistics]), word: Word::Index(index), boolean: false })
}

fn flag_of(kind: QueryKind) -> Option<vk::QueryPipelineStatisticFlags> {
    use vk::QueryPipelineStatisticFlags as F;
    Some(match kind {
        QueryKind::VerticesSubmitted => F::INPUT_ASSEMBLY_VERTICES,
        QueryKind::PrimitivesSubmitted => F::INPUT_ASSEMBLY_PRIMITIVES,
        QueryKind::VertexInvocations => F::VERTEX_SHADER_INVOCATIONS,
        QueryKind::TessControlPatches => F::TESSELLATION_CONTROL_SHADER_PATCHES,
        QueryKind::TessEvalInvocations => F::TESSELLATION_EVALUATION_SHADER_INVOCATIONS,
        QueryKind::GeometryInvocations => F::GEOMETRY_SHADER_INVOCATIONS,
        QueryKind::GeometryPrimitives => F::GEOMETRY_SHADER_PRIMITIVES,
        QueryKind::FragmentInvocations => F::FRAGMENT_SHADER_INVOCATIONS,
        QueryKind::ComputeInvocations => F::COMPUTE_SHADER_INVOCATIONS,
        QueryKind::ClippingInput => F::CLIPPING_INVOCATIONS,
        QueryKind::ClippingOutput => F::CLIPPING_PRIMITIVES,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Source, Word, plan};
    use crate::device::DeviceFeatures;
    use mgl_pipe::tokens::QueryKind;

    /// Without geometry shaders the statistics after them move up by two words; reading the wrong word would report
    /// clipped primitives as fragments.
    #[test]
    fn words_follow_the_flags_of_the_pool() {
        let small = DeviceFeatures { pipeline_statistics_query: true, ..DeviceFeatures::default() };
        let large = DeviceFeatures { geometry_shader: true, ..small };
        let word = |f: &DeviceFeatures| plan(QueryKind::FragmentInvocations, 0, f).unwrap().word;
        assert_eq!(word(&small), Word::Index(5));
        assert_eq!(word(&large), Word::Index(7));
    }

    /// A device without the query must still count generated primitives, or say that it cannot.
    #[test]
    fn primitives_generated_falls_back() {
        let none = DeviceFeatures::default();
        assert_eq!(plan(QueryKind::PrimitivesGenerated, 0, &none), None);
        let some = DeviceFeatures { pipeline_statistics_query: true, ..none };
        assert_eq!(plan(QueryKind::PrimitivesGenerated, 0, &some).unwrap().sources[0], Source::Statistics);
    }

    /// A device may count what stream 0 generates and forbid to ask for the others: they are counted as captures.
    #[test]
    fn streams_are_counted_where_the_query_knows_only_the_first() {
        let first = DeviceFeatures {
            primitives_generated_query: true,
            transform_feedback: true,
            geometry_streams: true,
            ..DeviceFeatures::default()
        };
        let source = |stream, f: &DeviceFeatures| plan(QueryKind::PrimitivesGenerated, stream, f).unwrap().sources[0];
        assert_eq!(source(0, &first), Source::Generated(0));
        assert_eq!(source(1, &first), Source::Xfb(1));
        let all = DeviceFeatures { primitives_generated_streams: true, ..first };
        assert_eq!(source(1, &all), Source::Generated(1));
    }
}
