//! Transform feedback: capture names to outputs, offsets and strides (GL 4.6 core §11.1.2.1).
//! Must not rewrite modules; it makes the [`Capture`]s that the lowering applies.

use std::collections::HashSet;

use super::LinkRequest;
use super::stage::{Messages, StageIr};
use crate::archive::{ProgramArchive, XfbCapture, XfbMode, XfbVarying};
use crate::lower::capture::{Capture, Source, builtin_of};
use crate::lower::io::IoVar;
use crate::lower::layout::round_up;
use crate::lower::ty::Ty;

/// Resolves the request's varyings against the last stage before rasterisation.
pub fn resolve(
    stage: Option<&StageIr>,
    request: &LinkRequest,
    archive: &mut ProgramArchive,
    messages: &mut Messages,
) -> Vec<Capture> {
    if let Some(stage) = stage.filter(|s| s.io.iter().any(|v| v.declared_xfb.iter().any(Option::is_some))) {
        // Layouts in the shader take precedence over the API's list (GL 4.6 core §11.1.2.1).
        archive.xfb = Some(declared(stage));
        return Vec::new();
    }
    if request.xfb_varyings.is_empty() {
        return Vec::new();
    }
    let Some(stage) = stage else {
        messages.error("transform feedback varyings are set but no stage before rasterisation is present");
        return Vec::new();
    };
    let mut layout = Layout { mode: request.xfb_mode, ..Layout::default() };
    let mut seen = HashSet::new();
    for name in &request.xfb_varyings {
        if layout.pseudo(name) {
            continue;
        }
        if !seen.insert(name.as_str()) {
            messages.error(format!("transform feedback varying `{name}` is given more than once"));
            continue;
        }
        match find(stage, name) {
            Some(found) => layout.add(name, found),
            None => messages.error(format!(
                "transform feedback varying `{name}` is not an output of the {} stage",
                stage.stage.name()
            )),
        }
    }
    layout.finish(request, archive, messages)
}

/// The captures that the shader declares with `xfb_offset` (GLSL 4.60 §4.4.2); its SPIR-V already carries them.
fn declared(stage: &StageIr) -> XfbCapture {
    let mut xfb = XfbCapture::default();
    for var in stage.io.iter().filter(|v| v.output) {
        for (at, place) in var.declared_xfb.iter().enumerate() {
            let Some([buffer, stride, offset]) = *place else { continue };
            let slot = buffer as usize % 4;
            xfb.strides[slot] = stride;
            xfb.streams[slot] = u8::try_from(var.stream).unwrap_or(0);
            let member = match var.ty.peel().0 {
                Ty::Struct(s) if var.block.is_some() => s.members.get(at),
                _ => None,
            };
            let ty = member.map_or(&var.ty, |m| &m.ty);
            let name = match member {
                Some(member) if var.per_vertex || var.name.is_empty() => member.name.clone(),
                Some(member) => format!("{}.{}", var.key(), member.name),
                None => var.name.clone(),
            };
            list(&mut xfb.varyings, name, ty, buffer % 4, offset);
        }
    }
    xfb.varyings.sort_by_key(|v| (v.buffer, v.offset));
    xfb
}

/// Lists what is captured of a value from `offset` on, and gives where it ends: an array of basic types is one entry,
/// elements and members of others have their own (GL 4.6 core §7.3.1.1).
fn list(all: &mut Vec<XfbVarying>, name: String, ty: &Ty, buffer: u32, offset: u32) -> u32 {
    match ty {
        Ty::Array(of, n, _) if matches!(**of, Ty::Array(..) | Ty::Struct(_)) => {
            (0..*n).fold(offset, |at, i| list(all, format!("{name}[{i}]"), of, buffer, at))
        }
        Ty::Struct(s) => {
            s.members.iter().fold(offset, |at, m| list(all, format!("{name}.{}", m.name), &m.ty, buffer, at))
        }
        _ => {
            let (base, dims) = ty.peel();
            let at = if is_double(base) { round_up(offset, 8) } else { offset };
            all.push(XfbVarying {
                name,
                gl_type: base.token(),
                array_size: dims.iter().product::<u32>().max(1),
                buffer,
                offset: at.cast_signed(),
            });
            at.saturating_add(ty.components().saturating_mul(4))
        }
    }
}

/// Whether the scalars of a basic type take 8 bytes.
fn is_double(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(s) | Ty::Vector(s, _) | Ty::Matrix(s, ..) if s.bytes() == 8)
}

/// A capture name resolved.
struct Found {
    source: Source,
    path: Vec<u32>,
    in_place: bool,
    scatter: bool,
    ty: Ty,
    stream: u32,
}

/// Splits `a.b[2].c` into `a` and the steps after it.
fn parse(name: &str) -> (&str, Vec<Step<'_>>) {
    let end = name.find(['.', '[']).unwrap_or(name.len());
    let (base, mut rest) = name.split_at(end);
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            steps.push(Step::Member(&after[..end]));
            rest = &after[end..];
        } else {
            let Some((index, after)) = rest[1..].split_once(']') else { break };
            steps.push(Step::Index(index.parse().unwrap_or(u32::MAX)));
            rest = after;
        }
    }
    (base, steps)
}

enum Step<'a> {
    Member(&'a str),
    Index(u32),
}

fn find(stage: &StageIr, name: &str) -> Option<Found> {
    let (base, steps) = parse(name);
    if let Some(builtin) = builtin_of(base) {
        let (ty, stream) = builtin_type(stage, builtin as u32)?;
        return descend(Source::BuiltIn(builtin as u32), ty, &steps, 0, true, stream);
    }
    let outputs = || stage.io.iter().filter(|v| v.output && !v.is_builtin());
    if let Some(var) = outputs().find(|v| v.block.is_none() && v.name == base) {
        return descend(Source::Variable(var.id), var.ty.clone(), &steps, 0, true, var.stream);
    }
    if let Some(var) = outputs().find(|v| v.block.as_deref() == Some(base)) {
        return descend(Source::Variable(var.id), var.ty.clone(), &steps, 1, true, var.stream);
    }
    // Members of a block without an instance name are named alone.
    let anonymous = outputs().find(|v| v.block.is_some() && v.name.is_empty() && member_of(&v.ty, base).is_some())?;
    let mut full = vec![Step::Member(base)];
    full.extend(steps);
    descend(Source::Variable(anonymous.id), anonymous.ty.clone(), &full, 1, true, anonymous.stream)
}

fn member_of(ty: &Ty, name: &str) -> Option<(u32, Ty)> {
    let Ty::Struct(s) = ty else { return None };
    let at = s.members.iter().position(|m| m.name == name)?;
    Some((u32::try_from(at).ok()?, s.members[at].ty.clone()))
}

/// Type of a built-in output.
fn builtin_type(stage: &StageIr, builtin: u32) -> Option<(Ty, u32)> {
    let is = |v: &&IoVar| v.output && v.builtin == Some(builtin);
    if let Some(var) = stage.io.iter().find(is) {
        return Some((var.ty.clone(), var.stream));
    }
    let block = crate::lower::per_vertex::find(&stage.ir)
        .into_iter()
        .find(|b| stage.io.iter().any(|v| v.id == b.variable && v.output))?;
    let at = crate::lower::per_vertex::members(&stage.ir, block.block).iter().position(|b| *b == Some(builtin))?;
    let var = stage.io.iter().find(|v| v.id == block.variable)?;
    let Ty::Struct(shape) = &var.ty else { return None };
    Some((shape.members.get(at)?.ty.clone(), var.stream))
}

/// Follows `steps`; a value can be decorated where it is when at most `free` steps lead to it and it is no struct.
fn descend(source: Source, mut ty: Ty, steps: &[Step<'_>], free: usize, plain: bool, stream: u32) -> Option<Found> {
    let mut path = Vec::new();
    for step in steps {
        let (index, inner) = match step {
            Step::Member(name) => member_of(&ty, name)?,
            Step::Index(index) => match &ty {
                Ty::Array(of, n, _) if index < n => (*index, Ty::clone(of)),
                _ => return None,
            },
        };
        path.push(index);
        ty = inner;
    }
    if matches!(ty.peel().0, Ty::Struct(_) | Ty::Opaque(_)) {
        return None;
    }
    // gl_ClipDistance is an array of scalars that devices pack; a copy is captured as GL describes it.
    let packed = source == Source::BuiltIn(rspirv::spirv::BuiltIn::ClipDistance as u32)
        || source == Source::BuiltIn(rspirv::spirv::BuiltIn::CullDistance as u32);
    let in_place = plain && !packed && path.len() == free;
    let scatter = free == 0 && matches!(source, Source::Variable(_)) && !in_place;
    Some(Found { source, path, in_place, scatter, ty, stream })
}

#[derive(Default)]
struct Layout {
    mode: XfbMode,
    buffer: u32,
    offset: u32,
    captures: Vec<Capture>,
    /// Which of them are of doubles.
    doubles: Vec<bool>,
    varyings: Vec<XfbVarying>,
    streams: [Option<u32>; 4],
    strides: [u32; 4],
    mixed_streams: bool,
    overflow: bool,
}

impl Layout {
    /// `gl_NextBuffer` and `gl_SkipComponents#`.
    fn pseudo(&mut self, name: &str) -> bool {
        let skip = name.strip_prefix("gl_SkipComponents").and_then(|n| n.parse::<u32>().ok());
        let entry = |offset| XfbVarying { name: name.to_owned(), gl_type: 0, array_size: 0, buffer: 0, offset };
        if name == "gl_NextBuffer" {
            self.varyings.push(XfbVarying { buffer: self.buffer.min(3), ..entry(-1) });
            self.close();
            return true;
        }
        let Some(skip) = skip.filter(|n| (1..=4).contains(n)) else { return false };
        self.varyings.push(XfbVarying {
            array_size: skip,
            buffer: self.buffer.min(3),
            ..entry(self.offset.cast_signed())
        });
        self.offset += 4 * skip;
        true
    }

    fn close(&mut self) {
        match self.strides.get_mut(self.buffer as usize) {
            Some(stride) => *stride = self.offset,
            None => self.overflow = true,
        }
        self.buffer += 1;
        self.offset = 0;
    }

    fn add(&mut self, name: &str, found: Found) {
        let (base, dims) = found.ty.peel();
        let Some(stream) = self.streams.get_mut(self.buffer as usize) else {
            self.overflow = true;
            return;
        };
        self.mixed_streams |= stream.is_some_and(|s| s != found.stream);
        *stream = Some(found.stream);
        self.varyings.push(XfbVarying {
            name: name.to_owned(),
            gl_type: base.token(),
            array_size: dims.iter().product::<u32>().max(1),
            buffer: self.buffer,
            offset: self.offset.cast_signed(),
        });
        self.doubles.push(is_double(base));
        self.captures.push(Capture {
            source: found.source,
            path: found.path,
            in_place: found.in_place,
            scatter: found.scatter,
            halves: false,
            // Until varyings are placed: the number of locations that a copy needs.
            location: found.ty.locations(),
            buffer: self.buffer,
            stride: 0,
            offset: self.offset,
            stream: found.stream,
        });
        self.offset += 4 * found.ty.components();
        if self.mode == XfbMode::Separate {
            self.close();
        }
    }

    fn finish(mut self, request: &LinkRequest, archive: &mut ProgramArchive, messages: &mut Messages) -> Vec<Capture> {
        if self.mode == XfbMode::Interleaved {
            self.close();
        }
        let limits = &request.limits;
        if self.overflow || self.buffer > limits.xfb_buffers {
            messages.error(format!(
                "transform feedback needs {} buffers, the limit is {}",
                self.buffer, limits.xfb_buffers
            ));
        }
        let per_buffer = match self.mode {
            XfbMode::Interleaved => limits.xfb_interleaved_components,
            XfbMode::Separate => limits.xfb_separate_components,
        };
        if let Some(stride) = self.strides.iter().find(|s| **s > per_buffer * 4) {
            messages.error(format!("transform feedback captures {} components, the limit is {per_buffer}", stride / 4));
        }
        if self.mixed_streams {
            messages.error("transform feedback captures outputs of different streams in one buffer");
        }
        for (capture, double) in self.captures.iter_mut().zip(self.doubles) {
            capture.stride = self.strides[capture.buffer as usize % 4];
            // GL packs what it captures; the device has doubles at multiples of 8 bytes only, in records of as many
            // (Vulkan, VUID-StandaloneSpirv-Offset-04716 and XfbStride). Their halves go anywhere.
            if double && !(capture.offset.is_multiple_of(8) && capture.stride.is_multiple_of(8)) {
                (capture.halves, capture.in_place, capture.scatter) = (true, false, false);
            }
        }
        archive.xfb = Some(XfbCapture {
            mode: self.mode,
            varyings: self.varyings,
            strides: self.strides,
            streams: self.streams.map(|s| u8::try_from(s.unwrap_or(0)).unwrap_or(0)),
        });
        self.captures
    }
}
