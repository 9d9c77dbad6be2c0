#version 450
#ifdef STENCIL_EXPORT
#extension GL_ARB_shader_stencil_export : require
#endif
// Copies a rectangle. SAMPLER is the GLSL sampler type; MS, DIM3, DIM1 tell its shape; OUT is the value type, or DEPTH,
// STENCIL_EXPORT, STENCIL_BIT say what is written instead of a colour.
layout(set = 0, binding = 0) uniform SAMPLER source;
layout(push_constant) uniform Push {
    vec4 map;     // source = gl_FragCoord.xy * map.xy + map.zw, in texels
    ivec4 size;   // width, height, layer, samples to average
    ivec4 flags;  // linear filter: 1 by the sampler, 2 by hand; alpha is one; bit of the stencil value
} push;

#ifdef MS
#define FETCH(p, s) texelFetch(source, ivec3(p, push.size.z), s)
#elif defined(DIM1)
#define FETCH(p, s) texelFetch(source, ivec2((p).x, push.size.z), 0)
#else
#define FETCH(p, s) texelFetch(source, ivec3(p, push.size.z), 0)
#endif

#ifdef OUT
layout(location = 0) out OUT color;
#endif

void main() {
    vec2 at = gl_FragCoord.xy * push.map.xy + push.map.zw;
    if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(push.size.xy)))) {
        discard;
    }
    ivec2 texel = ivec2(floor(at));
#ifdef OUT
    OUT value = FETCH(texel, 0);
#ifdef FLOAT
#ifdef MS
    for (int s = 1; s < push.size.w; s++) {
        value += FETCH(texel, s);
    }
    value /= float(max(push.size.w, 1));
#elif defined(DIM3)
    if (push.flags.x == 1) {
        float depth = float(textureSize(source, 0).z);
        value = textureLod(source, vec3(at / vec2(push.size.xy), (float(push.size.z) + 0.5) / depth), 0.0);
    }
#elif defined(DIM1)
    if (push.flags.x == 1) {
        value = textureLod(source, vec2(at.x / float(push.size.x), float(push.size.z)), 0.0);
    }
#else
    if (push.flags.x == 1) {
        value = textureLod(source, vec3(at / vec2(push.size.xy), float(push.size.z)), 0.0);
    }
#endif
#ifndef MS
    if (push.flags.x == 2) {
        vec2 low = floor(at - 0.5);
        vec2 share = at - 0.5 - low;
        ivec2 last = push.size.xy - 1;
        ivec2 a = clamp(ivec2(low), ivec2(0), last);
        ivec2 b = clamp(ivec2(low) + 1, ivec2(0), last);
        vec4 lower = mix(FETCH(a, 0), FETCH(ivec2(b.x, a.y), 0), share.x);
        value = mix(lower, mix(FETCH(ivec2(a.x, b.y), 0), FETCH(b, 0), share.x), share.y);
    }
#endif
#endif
    if (push.flags.y != 0) {
        value.a = ONE;
    }
    color = value;
#endif
#ifdef DEPTH
    gl_FragDepth = FETCH(texel, 0).r;
#endif
#ifdef STENCIL_EXPORT
    gl_FragStencilRefARB = int(FETCH(texel, 0).r);
#endif
#ifdef STENCIL_BIT
    if ((FETCH(texel, 0).r & uint(push.flags.z)) == 0u) {
        discard;
    }
#endif
}
