//! The scenarios, a folder for each state group. A sentence above each says what a user would lose if it failed.

use crate::scenario::Scenario;

mod buffer;
mod clear;
mod compute;
mod debug;
mod direct;
mod draw;
mod extension;
mod formats;
mod framebuffer;
mod get;
mod image;
mod lifetime;
mod patch;
mod program;
mod query;
mod readback;
mod render_state;
mod sampler;
mod shader;
mod share;
mod surface;
mod sync;
mod texture;
mod uniform;
mod vertex_array;
mod xfb;

/// The lists of all groups.
pub(crate) const GROUPS: &[&[&[Scenario]]] = &[
    buffer::LISTS,
    clear::LISTS,
    compute::LISTS,
    debug::LISTS,
    direct::LISTS,
    draw::LISTS,
    extension::LISTS,
    formats::LISTS,
    framebuffer::LISTS,
    get::LISTS,
    image::LISTS,
    lifetime::LISTS,
    patch::LISTS,
    program::LISTS,
    query::LISTS,
    readback::LISTS,
    render_state::LISTS,
    sampler::LISTS,
    shader::LISTS,
    share::LISTS,
    surface::LISTS,
    sync::LISTS,
    texture::LISTS,
    uniform::LISTS,
    vertex_array::LISTS,
    xfb::LISTS,
];
