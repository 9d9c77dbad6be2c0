//! Varyings between stages: matching, type and qualifier checks, and locations.
//! Must not know vertex attributes or fragment outputs.

use std::collections::{BTreeMap, HashSet};

use super::fold::{self, Folds};
use super::matching::{Matches, explicit, find, members, piecewise, rank};
use super::stage::{Messages, StageIr};
use crate::archive::Stage;
use crate::gltype::Scalar;
use crate::lower::capture::{Capture, Source};
use crate::lower::fold::Fold;
use crate::lower::io::{Interpolation, IoHome, IoVar};
use crate::lower::ty::Ty;
use crate::options::Limits;
use mgl_spirv::Id;

/// From this version on, interpolation qualifiers of the two sides need not agree (GLSL 4.40 §4.5).
const FREE_INTERPOLATION: u32 = 440;

/// Decisions per stage, by index in the stage list.
pub type Homes = Vec<Vec<(Id, IoHome)>>;

/// What the interfaces depend on besides the stages.
pub struct Context<'a> {
    /// Limits of the context.
    pub limits: &'a Limits,
    /// `GL_PROGRAM_SEPARABLE`: the outer interfaces meet other programs.
    pub separable: bool,
    /// The stages come from separable programs of one pipeline.
    pub composite: bool,
}

/// Places all varyings. Copies among `captures` (of the last stage before rasterisation) get their locations.
pub fn place(stages: &[StageIr], context: &Context<'_>, captures: &mut [Capture], messages: &mut Messages) -> Homes {
    let mut homes: Homes = stages.iter().map(|_| Vec::new()).collect();
    let last = stages.iter().rposition(|s| s.stage < Stage::Fragment);
    for at in 0..stages.len() {
        if stages[at].stage == Stage::Compute {
            continue;
        }
        if at == 0 && stages[at].stage != Stage::Vertex {
            open_inputs(&stages[at], &mut homes[at]);
        }
        let mut none: [Capture; 0] = [];
        let captured: &mut [Capture] = if last == Some(at) { captures } else { &mut none };
        if at + 1 < stages.len() {
            let (left, right) = homes.split_at_mut(at + 1);
            let pair = Pair { from: &stages[at], to: Some(&stages[at + 1]), context };
            pair.place(captured, &mut left[at], &mut right[0], messages);
        } else if stages[at].stage != Stage::Fragment {
            let pair = Pair { from: &stages[at], to: None, context };
            pair.place(captured, &mut homes[at], &mut Vec::new(), messages);
        }
    }
    homes
}

/// Homes of one output and of its reader.
type Placed = ((Id, IoHome), Option<(Id, IoHome)>);

/// Folds an output and its reader, if they can be.
type Folding<'a> = dyn Fn(&IoVar, &IoVar, &mut Folds, &mut Taken) -> Option<Fold> + 'a;

/// How varyings are placed when there are more than locations.
#[derive(Clone, Copy, Default)]
struct Tight<'a> {
    /// Those per patch count on their own.
    split: bool,
    /// Small ones share locations.
    pack: bool,
    /// The words of all that no capture and no interpolation ties to a location lie side by side.
    fold: Option<&'a Folding<'a>>,
}

/// Gives every live output a location: explicit ones first.
fn assign(live: &[(&IoVar, Option<&IoVar>)], tight: Tight<'_>) -> (Locations, Vec<Placed>) {
    let mut taken = Locations { split: tight.split, ..Locations::default() };
    let places = |out: &IoVar, reader: Option<&IoVar>| explicit(out).or_else(|| reader.and_then(explicit));
    for (out, reader) in live {
        if let Some(places) = places(out, *reader) {
            reserve(out, &places, taken.of(out));
        }
    }
    let (mut shared, mut folds) = (Shared::default(), Folds::default());
    let placed = live.iter().map(|(out, reader)| {
        if let Some(places) = places(out, *reader) {
            return ((out.id, explicit_home(out, &places)), reader.map(|r| (r.id, explicit_home(r, &places))));
        }
        let folded = tight.fold.zip(*reader).and_then(|(fold, r)| fold(out, r, &mut folds, taken.of(out)));
        if let Some(fold) = folded {
            let home = IoHome::Folded(fold);
            return ((out.id, home.clone()), reader.map(|r| (r.id, home)));
        }
        if let Some((location, component)) =
            (tight.pack && packable(out, *reader)).then(|| shared.place(out, taken.of(out))).flatten()
        {
            let home = IoHome::Packed(location, component);
            return ((out.id, home.clone()), reader.map(|r| (r.id, home)));
        }
        let first = taken.of(out).find(reader.map_or(0, count).max(count(out)));
        ((out.id, home(out, first)), reader.map(|r| (r.id, home(r, first))))
    });
    let placed = placed.collect();
    (taken, placed)
}

/// `spirv-val` takes a component on arrays only where they are not inside an array over vertices.
fn packable(out: &IoVar, reader: Option<&IoVar>) -> bool {
    let is_array = !out.ty.peel().1.is_empty();
    out.block.is_none() && !(is_array && (out.arrayed || reader.is_some_and(|r| r.arrayed)))
}

/// What variables that share a location must have in common (GLSL 4.60 §4.4.1): numeric type and qualifiers.
type ShareKey = (Scalar, Vec<(bool, bool, bool, bool)>, bool, u32);

/// Locations that hold several variables: key and components in use.
#[derive(Default)]
struct Shared(BTreeMap<u32, (ShareKey, u8)>);

impl Shared {
    fn place(&mut self, out: &IoVar, taken: &mut Taken) -> Option<(u32, u32)> {
        let (base, _) = out.ty.peel();
        let (scalar, n) = match base {
            Ty::Scalar(s) if s.bytes() == 4 => (*s, 1),
            Ty::Vector(s, n) if s.bytes() == 4 && *n < 4 => (*s, *n),
            _ => return None,
        };
        let flags = out.interpolation.iter().map(|i| (i.flat, i.no_perspective, i.centroid, i.sample)).collect();
        let key: ShareKey = (scalar, flags, out.patch, out.stream);
        let span = out.ty.locations();
        let fits = |first: u32, component: u32| {
            let mask = mask(component, n);
            (first..first + span).all(|l| self.0.get(&l).is_some_and(|(k, used)| *k == key && used & mask == 0))
        };
        let candidates = self.0.keys().flat_map(|l| (0..=4 - n).map(move |c| (*l, c)));
        let found = candidates.into_iter().find(|(l, c)| fits(*l, *c));
        let (first, component) = found.unwrap_or_else(|| (taken.find(span), 0));
        for location in first..first + span {
            self.0.entry(location).or_insert((key.clone(), 0)).1 |= mask(component, n);
        }
        Some((first, component))
    }
}

fn mask(component: u32, n: u32) -> u8 {
    (((1u32 << n) - 1) << component) as u8
}

/// Locations of one interface. Variables per patch may count on their own (GL 4.6 core §11.2.1.2.2), which is used only when
/// one count is too small: validators differ about it.
#[derive(Default)]
struct Locations {
    vertex: Taken,
    patch: Taken,
    split: bool,
}

impl Locations {
    fn of(&mut self, var: &IoVar) -> &mut Taken {
        if var.patch && self.split { &mut self.patch } else { &mut self.vertex }
    }
    fn end(&self) -> u32 {
        self.vertex.end().max(self.patch.end())
    }
}

/// Locations that are in use.
#[derive(Default)]
struct Taken(HashSet<u32>);

impl Taken {
    fn reserve(&mut self, first: u32, count: u32) {
        self.0.extend(first..first.saturating_add(count.min(256)));
    }
    fn find(&mut self, count: u32) -> u32 {
        let mut first = 0;
        while (first..first + count).any(|l| self.0.contains(&l)) {
            first += 1;
        }
        self.reserve(first, count);
        first
    }
    fn end(&self) -> u32 {
        self.0.iter().max().map_or(0, |l| l + 1)
    }
}

/// Elements of an array of blocks, without the array over vertices.
fn elements(ty: &Ty) -> u32 {
    ty.peel().1.iter().product::<u32>().max(1)
}

fn count(var: &IoVar) -> u32 {
    if var.block.is_some() {
        members(&var.ty).iter().map(|m| m.ty.locations()).sum::<u32>() * elements(&var.ty)
    } else {
        var.ty.locations()
    }
}

/// The home of `var` when its locations start at `first`.
fn home(var: &IoVar, first: u32) -> IoHome {
    if var.block.is_none() || !var.ty.peel().1.is_empty() {
        return IoHome::At(first);
    }
    let mut next = first;
    let each = members(&var.ty).iter().map(|member| {
        next += member.ty.locations();
        next - member.ty.locations()
    });
    IoHome::Members(each.collect())
}

fn explicit_home(var: &IoVar, places: &[(u32, u32)]) -> IoHome {
    match places {
        [(first, _), ..] if var.block.is_none() || !var.ty.peel().1.is_empty() => IoHome::At(*first),
        _ => IoHome::Members(places.iter().map(|(first, _)| *first).collect()),
    }
}

fn reserve(var: &IoVar, places: &[(u32, u32)], taken: &mut Taken) {
    for (first, count) in places {
        taken.reserve(*first, count * if var.block.is_some() { elements(&var.ty) } else { 1 });
    }
}

/// Inputs of a first stage that is not the vertex stage: some other program will feed them.
fn open_inputs(stage: &StageIr, homes: &mut Vec<(Id, IoHome)>) {
    let inputs: Vec<&IoVar> = stage.io.iter().filter(|v| !v.output && !v.is_builtin()).collect();
    let mut taken = Taken::default();
    for (var, places) in inputs.iter().filter_map(|v| explicit(v).map(|p| (v, p))) {
        reserve(var, &places, &mut taken);
        homes.push((var.id, explicit_home(var, &places)));
    }
    for var in inputs.iter().filter(|v| v.explicit().is_none()) {
        homes.push((var.id, if var.used { home(var, taken.find(count(var))) } else { IoHome::Gone }));
    }
}

struct Pair<'a> {
    from: &'a StageIr,
    to: Option<&'a StageIr>,
    context: &'a Context<'a>,
}

impl Pair<'_> {
    fn place(
        &self,
        captures: &mut [Capture],
        out_homes: &mut Vec<(Id, IoHome)>,
        in_homes: &mut Vec<(Id, IoHome)>,
        messages: &mut Messages,
    ) {
        let outputs: Vec<&IoVar> = self.from.io.iter().filter(|v| v.output && !v.is_builtin()).collect();
        let inputs: Vec<&IoVar> =
            self.to.map_or(Vec::new(), |s| s.io.iter().filter(|v| !v.output && !v.is_builtin()).collect());
        let Matches { readers, pieces } = self.match_all(&outputs, &inputs, in_homes, messages);
        let live: Vec<(&IoVar, Option<&IoVar>)> = outputs
            .iter()
            .zip(&readers)
            .enumerate()
            .filter(|(at, (out, reader))| reader.is_some() || pieces.contains(at) || self.stays(out, captures))
            .map(|(_, (out, reader))| (*out, *reader))
            .collect();
        let copies: u32 = captures.iter().filter(|c| !c.in_place && !c.scatter).map(|c| c.location.max(1)).sum();
        let limit = self.context.limits.varying_vectors;
        let floats = self.to.is_some_and(|to| !fold::interpolates(to));
        let fold = |out: &IoVar, reader: &IoVar, folds: &mut Folds, taken: &mut Taken| {
            let captured = captures.iter().any(|c| c.source == Source::Variable(out.id));
            (!captured).then(|| folds.place(out, reader, floats, || taken.find(1))).flatten()
        };
        let (mut taken, mut placed) = assign(&live, Tight::default());
        let split = Tight { split: true, ..Tight::default() };
        let pack = Tight { pack: true, ..split };
        for tight in [split, pack, Tight { fold: Some(&fold), ..pack }] {
            if taken.end() + copies > limit {
                (taken, placed) = assign(&live, tight);
            }
        }
        for ((own, theirs), (out, reader)) in placed.into_iter().zip(&live) {
            let reshape = |home: IoHome| match home {
                IoHome::At(first) if self.in_columns(out, *reader) => IoHome::Columns(first),
                home => home,
            };
            let (own, theirs) = ((own.0, reshape(own.1)), theirs.map(|(id, home)| (id, reshape(home))));
            out_homes.push(own);
            in_homes.extend(theirs);
        }
        for out in outputs.iter().filter(|o| !live.iter().any(|(l, _)| l.id == o.id)) {
            out_homes.push((out.id, if out.used { IoHome::Private } else { IoHome::Gone }));
        }
        for capture in captures.iter_mut().filter(|c| !c.in_place && !c.scatter) {
            // The type of a copy is at most an array of basic types; its size in locations is bounded by components.
            capture.location = taken.vertex.find(capture.location.max(1));
        }
        if taken.end() > limit {
            messages.error(format!(
                "the {} stage has outputs up to location {}, the last one is {}",
                self.from.stage.name(),
                taken.end() - 1,
                limit - 1
            ));
        }
    }

    /// Whether an array of blocks goes to the rasteriser member by member: drivers overlook the interpolation of members.
    fn in_columns(&self, out: &IoVar, reader: Option<&IoVar>) -> bool {
        let Some(reader) = reader.filter(|_| self.to.is_some_and(|to| to.stage == Stage::Fragment)) else {
            return false;
        };
        let special = [out, reader].iter().any(|v| v.interpolation.iter().any(|i| *i != Interpolation::default()));
        let free = |v: &IoVar| v.in_members && v.declared_xfb.iter().all(Option::is_none);
        special && free(out) && free(reader)
    }

    /// Whether an output without a reader keeps its location.
    fn stays(&self, out: &IoVar, captures: &[Capture]) -> bool {
        let captured = captures.iter().any(|c| (c.in_place || c.scatter) && c.source == Source::Variable(out.id));
        // Other invocations of a tessellation control shader may read what nobody downstream does.
        let shared = self.from.stage == Stage::TessControl && out.used;
        let declared = out.declared_xfb.iter().any(Option::is_some);
        captured || declared || shared || (self.to.is_none() && self.context.separable)
    }

    /// Who reads each output. Inputs without a writer are errors when used and vanish otherwise.
    fn match_all<'v>(
        &self,
        outputs: &[&IoVar],
        inputs: &[&'v IoVar],
        in_homes: &mut Vec<(Id, IoHome)>,
        messages: &mut Messages,
    ) -> Matches<'v> {
        let mut matches = Matches { readers: vec![None; outputs.len()], pieces: HashSet::new() };
        let Some(to) = self.to else { return matches };
        for input in inputs {
            // Separately linked programs may disagree; the value is undefined then (GL 4.6 core §7.4.1).
            let agrees = |at: &usize| !self.context.composite || outputs[*at].ty == input.ty;
            let found = find(outputs, input).filter(agrees).or_else(|| self.same_rank(outputs, inputs, input));
            match found {
                Some(at) => {
                    self.check(outputs[at], input, to, messages);
                    if input.used && matches.readers[at].is_none() {
                        matches.readers[at] = Some(*input);
                        continue;
                    }
                }
                None if input.used
                    && self.context.composite
                    && let (Some(sources), Some(places)) = (piecewise(outputs, input), explicit(input)) =>
                {
                    matches.pieces.extend(sources);
                    in_homes.push((input.id, explicit_home(input, &places)));
                    continue;
                }
                // Colours of the compatibility profile come from the current state when no stage writes them.
                None if input.used && (self.context.composite || input.key().starts_with("gl_")) => {
                    in_homes.push((input.id, IoHome::Private));
                    continue;
                }
                None if input.used => messages.error(format!(
                    "{} stage input `{}` has no matching output in the {} stage",
                    to.stage.name(),
                    input.key(),
                    self.from.stage.name()
                )),
                None => {}
            }
            in_homes.push((input.id, IoHome::Gone));
        }
        matches
    }

    /// The output that a pipeline gives an input which nothing matches: the one declared at the same place in the order. The
    /// value is undefined (GL 4.6 core §7.4.1), but drivers number the variables of separable programs in this order, and
    /// programs came to rely on it.
    fn same_rank(&self, outputs: &[&IoVar], inputs: &[&IoVar], input: &IoVar) -> Option<usize> {
        let to = self.to.filter(|_| self.context.composite && input.explicit().is_none())?;
        if find(outputs, input).is_some() || input.block.is_some() {
            return None;
        }
        let rank_of_input = rank(to, inputs, input)?;
        let at = outputs.iter().position(|o| rank(self.from, outputs, o) == Some(rank_of_input))?;
        let out = outputs[at];
        let free = out.explicit().is_none() && inputs.iter().all(|i| find(outputs, i) != Some(at));
        (free && out.block.is_none() && out.patch == input.patch && out.ty == input.ty).then_some(at)
    }

    fn check(&self, out: &IoVar, input: &IoVar, to: &StageIr, messages: &mut Messages) {
        let (from, to_name) = (self.from.stage.name(), to.stage.name());
        // gl_TexCoord may have another length on each side.
        if out.ty != input.ty && !input.key().starts_with("gl_") {
            messages.error(format!(
                "`{}` is `{}` in the {from} stage and `{}` in the {to_name} stage",
                input.key(),
                out.ty.spell(),
                input.ty.spell()
            ));
        }
        if self.context.composite {
            return;
        }
        let version = self.from.code.version.max(to.code.version);
        // GLSL 4.10 §4.6.1 wants the qualifier on both sides; later versions, and GLSL ES since 3.00, do not.
        let es = self.from.code.es;
        let all = self.from.code.invariant_all || to.code.invariant_all;
        if version < if es { 300 } else { 420 } && out.invariant != input.invariant && !all {
            messages.error(format!("`{}` is invariant in only one of the {from} and {to_name} stages", input.key()));
        }
        let plain =
            |v: &IoVar| v.interpolation.iter().map(|i| (i.flat, i.no_perspective, i.sample)).collect::<Vec<_>>();
        if out.stream != 0 && to.stage == Stage::Fragment {
            messages.error(format!("`{}` is an output of stream {}, which is not rasterised", input.key(), out.stream));
        }
        if version < FREE_INTERPOLATION && to.stage == Stage::Fragment && plain(out) != plain(input) {
            messages.error(format!(
                "`{}` has different interpolation qualifiers in the {from} and {to_name} stages",
                input.key()
            ));
        }
    }
}
