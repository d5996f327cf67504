//! What the contract remembers of a warp and of an instruction in flight.

use heddle_port::{CommandOp, Issue, NUM_DESTINATIONS, NUM_REGS};

/// A warp, as the contract sees it.
#[derive(Debug, Clone, Default)]
pub(crate) struct WarpState {
    pub(crate) base: Option<u16>,
    pub(crate) active: bool,
    pub(crate) busy: Option<CommandOp>,
    pub(crate) set: [u32; NUM_REGS / 32],
    pub(crate) reads: u32,
    pub(crate) writes: u32,
    /// Tags of its instructions in flight, in issue order.
    pub(crate) tags: Vec<u16>,
}

/// An instruction in flight.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) issue: Issue,
    pub(crate) collected: bool,
    /// Lanes that are still to be written, by destination.
    pub(crate) open: [u32; NUM_DESTINATIONS],
}
