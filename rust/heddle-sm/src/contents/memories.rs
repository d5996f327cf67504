//! The memories that the lanes of an access read and write.

use heddle_isa::{AccessError, DeviceMemory, Op};
use heddle_mem::BYPASS_OPERATORS;
use heddle_port::LaneMask;

use super::l1_view::View;
use super::spaces::Spaces;
use crate::lsu::LaneAccess;

/// Where the lanes of one access find their memory.
pub struct Memories<'a> {
    pub global: &'a mut DeviceMemory,
    /// What the L1 holds of global memory, where it need not be what is there now.
    pub view: Option<&'a mut View>,
    /// It is a read that may find its line in the L1.
    pub cached: bool,
    pub spaces: &'a mut Spaces,
    pub owner: Owner,
}

/// Whose shared and local memory it is.
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    pub cta_slot: usize,
    pub w: usize,
}

/// A lane's memory space.
#[derive(Clone, Copy)]
pub enum Where {
    Global,
    Shared,
    Local,
}

impl Memories<'_> {
    #[inline]
    pub fn load(&self, place: Where, lane: usize, address: u64, bytes: u32) -> Result<u64, AccessError> {
        match place {
            Where::Global => match &self.view {
                Some(view) if self.cached => view.load(self.global, address, bytes),
                _ => self.global.load(address, bytes),
            },
            Where::Shared => self.spaces.load_shared(self.owner.cta_slot, address, bytes),
            Where::Local => self.spaces.load_local(self.owner.w, lane, address, bytes),
        }
    }

    /// A lane whose access the L1 answers without holding what it reads.
    pub fn not_held(&self, access: &LaneAccess, lanes: LaneMask, op: &Op) -> Option<usize> {
        let view = self.view.as_ref().filter(|_| self.cached)?;
        let Op::Ld { ty, vector, .. } = op else { return None };
        let bytes = ty.bytes() * u32::from(*vector);
        (lanes & access.spaces.global).lanes().find(|&lane| {
            access.addresses[lane].is_multiple_of(bytes.into()) && !view.holds(access.addresses[lane], bytes)
        })
    }

    #[inline]
    pub fn store(
        &mut self,
        place: Where,
        lane: usize,
        address: u64,
        bytes: u32,
        value: u64,
    ) -> Result<(), AccessError> {
        match place {
            Where::Global => {
                self.global.store(address, bytes, value)?;
                if let Some(view) = &mut self.view {
                    view.store(address, bytes, value);
                }
                Ok(())
            }
            Where::Shared => self.spaces.store_shared(self.owner.cta_slot, address, bytes, value),
            Where::Local => self.spaces.store_local(self.owner.w, lane, address, bytes, value),
        }
    }
}

/// Whether an instruction reads lines of global memory that the L1 may hold. A texture fetch is performed with the first of its
/// requests and reads what is there then.
pub fn reads_through_l1(op: &Op) -> bool {
    matches!(op, Op::Ld { cache, .. } if !BYPASS_OPERATORS.contains(&(*cache as u8)))
}

/// The memory that a lane accesses.
pub fn place_of(access: &LaneAccess, lane: usize) -> Where {
    if access.spaces.global.has(lane) {
        Where::Global
    } else if access.spaces.shared.has(lane) {
        Where::Shared
    } else {
        Where::Local
    }
}
