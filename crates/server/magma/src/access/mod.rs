//! What was done to a resource last and which barrier its next use needs. Must not know who uses it or record
//! anything itself.

mod image;

pub use image::{ImageTrack, Range, Transition};

use ash::vk;

const WRITES: vk::AccessFlags = vk::AccessFlags::from_raw(
    vk::AccessFlags::SHADER_WRITE.as_raw()
        | vk::AccessFlags::COLOR_ATTACHMENT_WRITE.as_raw()
        | vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_WRITE.as_raw()
        | vk::AccessFlags::TRANSFER_WRITE.as_raw()
        | vk::AccessFlags::HOST_WRITE.as_raw()
        | vk::AccessFlags::MEMORY_WRITE.as_raw()
        | vk::AccessFlags::TRANSFORM_FEEDBACK_WRITE_EXT.as_raw()
        | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT.as_raw(),
);

/// True when an access writes.
pub fn writes(access: vk::AccessFlags) -> bool {
    access.intersects(WRITES)
}

/// The dependency that a use needs: source and destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Stages, source and destination.
    pub stages: (vk::PipelineStageFlags, vk::PipelineStageFlags),
    /// Accesses, source and destination.
    pub access: (vk::AccessFlags, vk::AccessFlags),
}

/// Uses of one resource or subresource since its last write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Track {
    write_stages: vk::PipelineStageFlags,
    write_access: vk::AccessFlags,
    read_stages: vk::PipelineStageFlags,
    seen_stages: vk::PipelineStageFlags,
    seen_access: vk::AccessFlags,
}

impl Track {
    /// Notes a use and answers the dependency it needs.
    pub fn touch(&mut self, stage: vk::PipelineStageFlags, access: vk::AccessFlags) -> Option<Dependency> {
        if writes(access) {
            return self.write(stage, access);
        }
        self.read_stages |= stage;
        if self.write_stages.is_empty() || (self.seen_stages.contains(stage) && self.seen_access.contains(access)) {
            return None;
        }
        self.seen_stages |= stage;
        self.seen_access |= access;
        // Repeated in full so that the pair (stages, accesses) seen so far is visible as a product.
        Some(Dependency {
            stages: (self.write_stages, self.seen_stages),
            access: (self.write_access, self.seen_access),
        })
    }

    fn write(&mut self, stage: vk::PipelineStageFlags, access: vk::AccessFlags) -> Option<Dependency> {
        let before = self.write_stages | self.read_stages;
        let dependency = Dependency { stages: (before, stage), access: (self.write_access, access) };
        *self = Self { write_stages: stage, write_access: access & WRITES, ..Self::default() };
        (!before.is_empty()).then_some(dependency)
    }

    /// Forgets everything: the resource is idle by proof and its content is undefined or host-written.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// A layout transition is a write that the stage then sees.
    fn transition(&mut self, stage: vk::PipelineStageFlags, access: vk::AccessFlags) -> Dependency {
        let before = self.write_stages | self.read_stages;
        let dependency = Dependency { stages: (before, stage), access: (self.write_access, access) };
        *self = Self { write_stages: stage, ..Self::default() };
        if writes(access) {
            self.write_access = access & WRITES;
        } else {
            self.read_stages = stage;
            self.seen_stages = stage;
            self.seen_access = access;
        }
        dependency
    }
}

#[cfg(test)]
mod tests {
    use super::Track;
    use ash::vk::{AccessFlags as A, PipelineStageFlags as S};

    /// A missing dependency lets a draw read vertices that the copy before it has not written.
    #[test]
    fn reads_wait_for_the_write_once() {
        let mut t = Track::default();
        assert_eq!(t.touch(S::TRANSFER, A::TRANSFER_WRITE), None);
        let d = t.touch(S::VERTEX_INPUT, A::VERTEX_ATTRIBUTE_READ).unwrap();
        assert_eq!((d.stages.0, d.access.0), (S::TRANSFER, A::TRANSFER_WRITE));
        assert_eq!(t.touch(S::VERTEX_INPUT, A::VERTEX_ATTRIBUTE_READ), None);
        let d = t.touch(S::VERTEX_SHADER, A::UNIFORM_READ).unwrap();
        assert!(d.access.1.contains(A::UNIFORM_READ));
    }

    /// A write must wait for reads before it, or the draw before an upload shows the new bytes.
    #[test]
    fn writes_wait_for_reads() {
        let mut t = Track::default();
        assert_eq!(t.touch(S::FRAGMENT_SHADER, A::SHADER_READ), None);
        let d = t.touch(S::TRANSFER, A::TRANSFER_WRITE).unwrap();
        assert_eq!(d.stages, (S::FRAGMENT_SHADER, S::TRANSFER));
        let d = t.touch(S::TRANSFER, A::TRANSFER_WRITE).unwrap();
        assert_eq!(d.access, (A::TRANSFER_WRITE, A::TRANSFER_WRITE));
    }
}
