//! One warp of the program as parsed, and what is known of the accesses that it is to make.

use std::collections::VecDeque;

use heddle_isa::Pc;
use heddle_port::{LaneData, LaneMask, NUM_DESTINATIONS, NUM_LANES};

use crate::expected::{Expected, ExpectedAccess};
use crate::warp::merge;

/// An access that the allocated program has issued.
#[derive(Debug)]
pub(super) struct Known {
    /// The instruction as parsed.
    pub pc: Pc,
    pub lanes: LaneMask,
    /// Lanes that the allocated program has performed, with what they loaded.
    pub performed: LaneMask,
    pub loaded: [LaneData; NUM_DESTINATIONS],
    /// The same access of the program as parsed, once it is issued.
    pub issued: Option<Box<Expected>>,
    /// Lanes that were compared.
    compared: LaneMask,
}

/// One warp.
#[derive(Debug, Default)]
pub(super) struct ReplayWarp {
    /// Accesses that are not compared in all lanes, those of the allocated program that come first included.
    known: VecDeque<Known>,
    /// Number of the first of them.
    first: u64,
    /// Accesses of the program as parsed.
    pub stepped: u64,
    /// An access of the program as parsed that waits to be known.
    pub held: Option<Box<Expected>>,
}

impl ReplayWarp {
    /// The allocated program issues an access; its number.
    pub fn issued(&mut self, pc: Pc, lanes: LaneMask) -> u64 {
        let loaded = [[0; NUM_LANES]; NUM_DESTINATIONS];
        let none = LaneMask::NONE;
        self.known.push_back(Known { pc, lanes, performed: none, loaded, issued: None, compared: none });
        self.first + self.known.len() as u64 - 1
    }

    /// The allocated program performs lanes of access `number`.
    pub fn performed(&mut self, number: u64, access: &ExpectedAccess) {
        if let Some(known) = self.known(number) {
            known.performed = known.performed | access.lanes;
            for (to, from) in known.loaded.iter_mut().zip(&access.loaded) {
                merge(to, from, access.lanes);
            }
        }
    }

    /// Access `number`, as long as it is not compared in all lanes.
    pub fn known(&mut self, number: u64) -> Option<&mut Known> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.known.get_mut(index)
    }

    /// Accesses that the program as parsed has issued.
    pub fn stepped(&self) -> u64 {
        self.stepped
    }

    /// The access of the allocated program that is the next here.
    pub fn next_known(&self) -> Option<&Known> {
        self.known.get(usize::try_from(self.stepped.checked_sub(self.first)?).ok()?)
    }

    /// Where an access waits to be known.
    pub fn held_at(&self) -> Option<Pc> {
        self.held.as_ref().map(|e| e.pc)
    }

    /// The access of instruction `pc` that is issued and not performed; else where another one waits to be known.
    pub fn at(&self, pc: Pc) -> Result<&Expected, Option<Pc>> {
        let issued = self.known.iter().filter_map(|k| k.issued.as_deref());
        let found = issued.chain(self.held.as_deref()).find(|e| e.pc == pc);
        found.ok_or_else(|| self.held_at())
    }

    /// Access `number`, to be performed.
    pub fn take(&mut self, number: u64) -> Option<Box<Expected>> {
        self.known(number)?.issued.take()
    }

    /// Access `number`, whose `lanes` were performed and compared.
    pub fn put_back(&mut self, number: u64, e: Box<Expected>, lanes: LaneMask) {
        if let Some(known) = self.known(number) {
            known.issued = Some(e);
            known.compared = known.compared | lanes;
        }
        while self.known.front().is_some_and(|k| k.compared == k.lanes) {
            self.known.pop_front();
            self.first += 1;
        }
    }
}
