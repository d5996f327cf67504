//! What memory holds: global memory, shared and local memory of the SM, and what lies below a design that
//! holds its L1.
//!
//! The memory port says when an access takes its place in the order; here its lanes then read and write.

mod below;
mod l1_view;
mod lower;
mod memories;
mod perform;
mod spaces;
mod traffic;

use heddle_isa::DeviceMemory;
use heddle_mem::{SHARED_BLOCK_BYTES, SHARED_SPACE};
use heddle_port::{HeldSpaces, LaneMask};

pub use self::below::{Below, OldValue};
use self::l1_view::View;
pub use self::memories::{Owner, Where, place_of};
pub use self::perform::Refused;
use self::spaces::Spaces;
use self::traffic::Traffic;
pub use self::traffic::WrongRequest;
use crate::kernel::Kernel;
use crate::sm::DesignMemory;

/// All memory that an SM reads and writes.
#[derive(Debug, Clone)]
pub struct Contents {
    global: DeviceMemory,
    spaces: Spaces,
    /// What the design holds behind its memory port.
    held: HeldSpaces,
    /// What the L1 holds of global memory, where it need not be what is there now.
    view: Option<Box<View>>,
    /// What lies below the design, where it holds data.
    below: Option<Box<Below>>,
    /// Global memory below it, where other SMs share it.
    traffic: Option<Box<Traffic>>,
}

impl Contents {
    /// Before the first cycle of a kernel on as many warp slots, with the global memory of the launch, before
    /// a design that holds some of it.
    pub fn new(kernel: &Kernel, warp_slots: usize, global: DeviceMemory, design: DesignMemory) -> Self {
        let DesignMemory { held, data } = design;
        let occupancy = kernel.occupancy();
        let (shared_bytes, local_bytes) = match kernel.is_recorded() {
            true => (0, 0),
            false => (occupancy.shared_bytes, kernel.program().local_bytes),
        };
        let below = data && !kernel.is_recorded();
        Self {
            spaces: Spaces::new(occupancy.ctas as usize, shared_bytes, warp_slots, local_bytes),
            held,
            view: None,
            below: below.then(|| Box::new(Below::new(global.clone()))),
            traffic: None,
            global,
        }
    }

    /// Other SMs share global memory, which stands elsewhere between the accesses; `recorded`: it has no
    /// contents.
    pub fn become_one_of_many(&mut self, recorded: bool) {
        self.view = (!recorded).then(Box::default);
        if self.held.cached && self.below.is_some() {
            self.below = Some(Box::new(Below::new(DeviceMemory::new())));
            self.traffic = Some(Box::default());
        }
    }

    /// The design answers without data; before the first cycle.
    pub fn hold_no_data(&mut self) {
        self.below = None;
        self.traffic = None;
    }

    /// What the design holds behind its memory port.
    #[inline]
    pub fn held(&self) -> HeldSpaces {
        self.held
    }

    /// The design answers with data.
    #[inline]
    pub fn has_data(&self) -> bool {
        self.below.is_some()
    }

    /// The L1 need not hold what is in global memory now.
    #[inline]
    pub fn has_view(&self) -> bool {
        self.view.is_some()
    }

    /// What goes to L2 is held against what the SM stored.
    #[inline]
    pub fn has_traffic(&self) -> bool {
        self.traffic.is_some()
    }

    /// Global memory.
    pub fn global(&self) -> &DeviceMemory {
        &self.global
    }

    /// Global memory comes, or goes where it stands while others use it.
    #[inline]
    pub fn swap_global(&mut self, global: &mut DeviceMemory) {
        std::mem::swap(&mut self.global, global);
    }

    /// Global memory, when the run is over: of a design that holds the L1's data, what L2 holds.
    pub fn into_global(self) -> DeviceMemory {
        let mut memory = self.global;
        if let Some(below) = self.below.filter(|_| self.held.cached) {
            below.leave(&mut memory);
        }
        memory
    }

    /// A CTA starts in a slot.
    pub fn start_cta(&mut self, slot: usize) {
        self.spaces.clear_shared(slot);
    }

    /// A warp starts in a slot.
    pub fn start_warp(&mut self, w: usize) {
        self.spaces.clear_local(w);
    }

    /// The design has dropped the shared memory of a CTA slot: its block is zero for the next CTA.
    pub fn free_cta(&mut self, slot: usize) {
        if let Some(below) = &mut self.below {
            let start = SHARED_SPACE.start + slot as u32 * SHARED_BLOCK_BYTES;
            below.clear(start..start + SHARED_BLOCK_BYTES);
        }
    }

    /// What the lanes `mask` of the atomic `tag` found in L2, once.
    pub fn found(&mut self, tag: u16, mask: LaneMask) -> Vec<OldValue> {
        self.below.as_mut().map(|below| below.found(tag, mask.0)).unwrap_or_default()
    }
}
