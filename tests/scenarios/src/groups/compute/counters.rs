//! Atomic counters (GL 4.6 §7.7).

use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["compute":
    counters_count_fragments,
    counters_share_buffers_by_offset,
    operations_on_counters,
    counter_buffers_are_described,
];

/// If this fails, fragments are counted wrong or not at all.
fn counters_count_fragments(gl: &Gl) {
    need(gl.has("GL_ARB_shader_atomic_counters"), "GL_ARB_shader_atomic_counters");
    gl.memory_program(
        "layout(binding = 0) uniform atomic_uint number;
        void main() { atomicCounterIncrement(number); result = vec4(1.0); }",
    );
    let buffer = gl.buffer(t::ATOMIC_COUNTER_BUFFER, &[5u32]);
    gl.bind_buffer_base(t::ATOMIC_COUNTER_BUFFER, 0, buffer);
    for round in 1..4 {
        gl.cover();
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
        assert_eq!(gl.contents::<u32>(t::ATOMIC_COUNTER_BUFFER, 0, 1), [5 + 4096 * round]);
    }
}

/// If this fails, counters of one buffer change each other.
fn counters_share_buffers_by_offset(gl: &Gl) {
    need(gl.has("GL_ARB_shader_atomic_counters"), "GL_ARB_shader_atomic_counters");
    need(gl.has("GL_ARB_compute_shader"), "GL_ARB_compute_shader");
    gl.compute(
        "layout(local_size_x = 8) in;
        layout(binding = 1, offset = 4) uniform atomic_uint up;
        layout(binding = 1, offset = 12) uniform atomic_uint list[3];
        layout(binding = 2) uniform atomic_uint down;
        layout(std430, binding = 0) buffer Out { uint last; uint seen; };
        void main() {
            atomicCounterIncrement(up);
            atomicCounterIncrement(list[gl_LocalInvocationIndex % 3u]);
            uint left = atomicCounterDecrement(down);
            if (left == 92u) last = left;
            if (atomicCounter(down) < 100u) atomicAdd(seen, 1u);
        }",
    );
    let out = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 8);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, out);
    let one = gl.buffer(t::ATOMIC_COUNTER_BUFFER, &[9u32; 8]);
    gl.bind_buffer_base(t::ATOMIC_COUNTER_BUFFER, 1, one);
    let mut words = [1u32; 65];
    words[64] = 100;
    let two = gl.buffer(t::ATOMIC_COUNTER_BUFFER, &words);
    gl.bind_buffer_range(t::ATOMIC_COUNTER_BUFFER, 2, two, 256, 4);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(gl.contents::<u32>(t::ATOMIC_COUNTER_BUFFER, 252, 2), [1, 92]);
    assert_eq!(gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 2), [92, 8], "a decrement gives the new value");
    gl.bind_buffer(t::ATOMIC_COUNTER_BUFFER, one);
    assert_eq!(gl.contents::<u32>(t::ATOMIC_COUNTER_BUFFER, 0, 8), [9, 17, 9, 12, 12, 11, 9, 9]);
}

/// If this fails, programs that allocate by adding to a counter overlap.
fn operations_on_counters(gl: &Gl) {
    need(gl.has("GL_ARB_shader_atomic_counter_ops"), "GL_ARB_shader_atomic_counter_ops");
    need(gl.has("GL_ARB_compute_shader"), "GL_ARB_compute_shader");
    let source = format!(
        "{}#extension GL_ARB_shader_atomic_counter_ops : require
        layout(local_size_x = 1) in;
        layout(binding = 0) uniform atomic_uint c[8];
        layout(std430, binding = 0) buffer Out {{ uint before[8]; }};
        void main() {{
            before[0] = atomicCounterAddARB(c[0], 5u);
            before[1] = atomicCounterSubtractARB(c[1], 3u);
            before[2] = atomicCounterMinARB(c[2], 4u);
            before[3] = atomicCounterMaxARB(c[3], 40u);
            before[4] = atomicCounterAndARB(c[4], 6u);
            before[5] = atomicCounterOrARB(c[5], 21u);
            before[6] = atomicCounterXorARB(c[6], 3u);
            before[7] = atomicCounterExchangeARB(c[7], 77u);
            atomicCounterCompSwapARB(c[7], 77u, 78u);
        }}",
        crate::gl::memory::MEMORY
    );
    gl.program_with(&[(t::COMPUTE_SHADER, &source)], |_| ());
    let out = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 32);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, out);
    let counters = gl.buffer(t::ATOMIC_COUNTER_BUFFER, &[10u32; 8]);
    gl.bind_buffer_base(t::ATOMIC_COUNTER_BUFFER, 0, counters);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 8), [10; 8], "operations give the old value");
    assert_eq!(gl.contents::<u32>(t::ATOMIC_COUNTER_BUFFER, 0, 8), [15, 7, 4, 40, 2, 31, 9, 78]);
}

/// If this fails, programs make counter buffers that are too small, or bind them elsewhere.
fn counter_buffers_are_described(gl: &Gl) {
    need(gl.has("GL_ARB_shader_atomic_counters"), "GL_ARB_shader_atomic_counters");
    let program = gl.memory_program(
        "layout(binding = 3, offset = 8) uniform atomic_uint a;
        layout(binding = 3) uniform atomic_uint b[2];
        void main() { result = vec4(atomicCounterIncrement(a) + atomicCounterIncrement(b[1])); }",
    );
    assert_eq!(gl.program_parameter(program, t::ACTIVE_ATOMIC_COUNTER_BUFFERS), 1);
    let ask = |pname| gl.counter_buffer(program, 0, pname);
    assert_eq!(ask(t::ATOMIC_COUNTER_BUFFER_BINDING), 3);
    assert_eq!(ask(t::ATOMIC_COUNTER_BUFFER_DATA_SIZE), 20);
    assert_eq!(ask(t::ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTERS), 2);
    assert_eq!(ask(t::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_FRAGMENT_SHADER), 1);
    assert_eq!(ask(t::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_VERTEX_SHADER), 0);
    gl.counter_buffer(program, 1, t::ATOMIC_COUNTER_BUFFER_BINDING);
    gl.expect_error(t::INVALID_VALUE, "no such counter buffer");
    gl.counter_buffer(program, 0, t::ACTIVE_ATOMIC_COUNTER_BUFFERS);
    gl.expect_error(t::INVALID_ENUM, "not a parameter of counter buffers");
    assert!(gl.int(t::MAX_ATOMIC_COUNTER_BUFFER_BINDINGS) >= 1 && gl.int(t::MAX_FRAGMENT_ATOMIC_COUNTERS) >= 8);
}
