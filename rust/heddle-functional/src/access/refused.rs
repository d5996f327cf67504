//! What is said of an access that is refused.

use heddle_isa::Space;

use super::{Fault, Unit};
use crate::buffers::{global_bounds, global_buffer};
use crate::error::GoldenError;
use crate::expected::Expected;

impl Unit<'_> {
    #[cold]
    pub(super) fn error(
        &self,
        e: &Expected,
        space: Space,
        lane: usize,
        address: u64,
        fault: Fault,
    ) -> GoldenError {
        let at = self.env.site(e.cta, e.warp_in_cta, Some(lane), e.pc);
        let bytes = self.decoded.bytes;
        match fault {
            Fault::Misaligned => GoldenError::Misaligned {
                at,
                kind: e.kind,
                space,
                address,
                bytes: bytes * u32::from(self.decoded.elements),
            },
            Fault::ReadOnly(buffer) => GoldenError::ReadOnly { at, kind: e.kind, address, bytes, buffer },
            Fault::OutOfBounds => GoldenError::OutOfBounds {
                at,
                kind: e.kind,
                space,
                address,
                bytes,
                bounds: self.bounds(space, address),
            },
            Fault::Uninitialised => GoldenError::UninitialisedRead {
                at,
                space,
                address,
                bytes,
                buffer: self.buffer(space, address),
            },
            Fault::Race(conflict) => GoldenError::Race {
                at,
                kind: e.kind,
                other: self.env.site(e.cta, conflict.warp, Some(conflict.lane), conflict.pc),
                other_kind: conflict.kind,
                address: conflict.address,
            },
        }
    }

    fn bounds(&self, space: Space, address: u64) -> String {
        match space {
            Space::Shared => format!("the CTA has {} bytes", self.env.shared_bytes),
            Space::Local => format!("the thread has {} bytes", self.env.program.local_bytes),
            _ => global_bounds(self.memory, address),
        }
    }

    fn buffer(&self, space: Space, address: u64) -> String {
        match space {
            Space::Shared => format!("offset {address} of the CTA's shared memory"),
            Space::Local => format!("offset {address} of the thread's local memory"),
            _ => global_buffer(self.memory, address),
        }
    }
}
