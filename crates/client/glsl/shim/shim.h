// The C face of glslang that src/frontend/glslang.rs calls. Plain data in, plain data out; must not hold any state of its own
// between calls, and must not know programs, locations or bindings.
#ifndef MGL_GLSL_SHIM_H
#define MGL_GLSL_SHIM_H
#include <stddef.h>
#include <stdint.h>

extern "C" {

struct MglLimits {
    int32_t vertex_attribs;
    int32_t draw_buffers;
    int32_t dual_source;
    int32_t varying_vectors;
    int32_t uniform_vectors;
    int32_t texture_units;
    int32_t combined_texture_units;
    int32_t image_units;
    int32_t stage_images[6];  // in the order of the stages
    int32_t images;
    int32_t storage_blocks;
    int32_t atomic_buffers;
    int32_t stage_counter_buffers[6];
    int32_t counter_buffers;
    int32_t counters;
    int32_t clip_distances;
    int32_t xfb_buffers;
    int32_t xfb_components;
    int32_t geometry_vertices;
    int32_t patch_vertices;
    int32_t viewports;
    int32_t samples;
    int32_t group_size[3];
    int32_t group_count[3];
    int32_t texel_offset[2];
    int32_t image_samples;
};

struct MglSource {
    const char* text;
    int32_t length;
};

// All pointers are owned by the result and freed by mgl_glsl_free.
struct MglCode {
    int32_t parsed;     // every source is well-formed
    int32_t has_entry;  // some source defines main
    int32_t linked;     // the stage linked and words are there
    int32_t version;
    int32_t es;
    char* parse_log;
    char* link_log;
    char* facts;        // one fact a line, see facts() in shim.cpp
    uint32_t* words;
    size_t word_count;
};

// Parses the sources of one stage and, when each is well-formed and one defines main, links them and generates SPIR-V.
// `stage` counts vertex, tessellation control, tessellation evaluation, geometry, fragment, compute.
void mgl_glsl_stage(int32_t stage, const MglSource* sources, int32_t count, const MglLimits* limits,
                    const char* preamble, MglCode* out);
void mgl_glsl_free(MglCode* code);
}
#endif
