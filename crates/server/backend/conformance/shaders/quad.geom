#version 450
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 shade[];
layout(location = 0) out vec4 color;
void main() {
    for (int i = 0; i < 4; i++) {
        vec2 corner = vec2(float(i & 1), float(i >> 1)) - 0.5;
        gl_Position = gl_in[0].gl_Position + vec4(corner, 0.0, 0.0);
        color = shade[0];
        EmitVertex();
    }
    EndPrimitive();
}
