#version 450
layout(triangles, ccw) in;
layout(location = 0) in vec4 tint[];
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position
        + gl_TessCoord.z * gl_in[2].gl_Position;
    shade = tint[0];
}
