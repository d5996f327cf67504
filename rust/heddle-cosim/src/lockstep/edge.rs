//! What the checking side is shown of a clock edge.

use heddle_isa::Pc;
use heddle_port::{MAX_PORT_WIDTH, MemIn, MemOut, RegIn, RegOut, WarpSlot};
use heddle_sm::{Sm, Stand};

use crate::check::spills::LowerOffer;

/// A clock edge of the design.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge<'a> {
    /// Cycle of the launch that ends.
    pub cycle: u64,
    /// What the SM drives in it.
    pub input: &'a RegIn,
    /// What the SM and L2 drive into the memory port, where they do.
    pub memory: Option<&'a MemIn>,
    /// What the RTL offers to L2 in it, of a design that may spill registers.
    pub lower: Option<&'a LowerOffer>,
    /// Where the warps stand that the SM drives.
    pub stands: &'a Stands,
    /// The RTL's outputs of the next cycle.
    pub rtl: &'a RegOut,
    /// Those of its memory port, where it has one.
    pub rtl_memory: Option<&'a MemOut>,
}

/// Warps that can be in the inputs of a cycle: of each slot of issue and results, and of the command.
const MOST: usize = 2 * MAX_PORT_WIDTH + 1;

/// Where the warps stand that the SM drives in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stands {
    /// By slot of issue, then of results, then the command.
    of: [Option<(u8, Stand)>; MOST],
}

impl Stands {
    /// Those of the warps in `input`.
    #[inline]
    pub fn of(input: &RegIn, sm: &Sm) -> Self {
        let mut stands = Self::default();
        let mut note = |place: usize, warp: u8| {
            stands.of[place] = sm.stand(WarpSlot(warp)).map(|stand| (warp, stand));
        };
        for slot in 0..MAX_PORT_WIDTH {
            if input.issue[slot].valid {
                note(slot, input.issue[slot].warp);
            }
            if input.result[slot].valid {
                note(MAX_PORT_WIDTH + slot, input.result[slot].warp);
            }
        }
        if input.command.valid {
            note(MOST - 1, input.command.warp);
        }
        stands
    }

    /// The CTA of a warp and its next instruction, if it is resident.
    pub fn warp(&self, warp: u8) -> Option<(u64, Option<Pc>)> {
        let stand = self.of.iter().flatten().find(|(of, _)| *of == warp)?.1;
        Some((stand.cta, stand.pc))
    }
}
