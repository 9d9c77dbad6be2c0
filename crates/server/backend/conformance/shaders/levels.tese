#version 450
layout(triangles) in;
layout(location = 0) in vec4 color[];
layout(location = 1) in Parts { vec2 at[2]; flat int number; } parts[];
layout(location = 0) out vec4 shade;
void main() {
    shade = color[0] * gl_TessCoord.x + vec4(parts[1].at[1], parts[2].number, gl_TessLevelInner[0]);
    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[gl_PatchVerticesIn - 1].gl_Position * gl_TessCoord.y;
}
