#version 450
layout(set = 1, binding = 0) uniform sampler2D image;
layout(set = 3, binding = 0, rgba8) uniform image2D unit;
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 color;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    color = texelFetch(image, at, 0);
    imageStore(unit, at, vec4(1.0) - color);
}
