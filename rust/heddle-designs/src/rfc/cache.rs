//! The registers of each warp in the cache, oldest first.

use std::collections::VecDeque;

use crate::common::Value;
use heddle_port::NUM_WARPS;

/// A register in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the warp.
    pub register: u8,
    /// The lanes that results have written since it is here.
    pub value: Value,
    /// No lane reads it again before it is written.
    pub dead: bool,
}

/// Where a result went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// To its register, which was there.
    InPlace,
    /// To a new entry, in the place of the oldest one where all were taken.
    Allocated(Option<Entry>),
    /// Nowhere: its warp has no place in the cache.
    No,
}

/// The cache: as many entries for each active warp.
#[derive(Debug, Clone)]
pub struct Cache {
    /// Entries of a warp.
    entries: usize,
    /// Warps that may have a place at once, and those that have one.
    places: u32,
    active: u64,
    warps: Vec<VecDeque<Entry>>,
}

impl Cache {
    /// An empty cache of `entries` registers for each of `places` warps.
    #[must_use]
    pub fn new(entries: usize, places: u8) -> Self {
        let warps = vec![VecDeque::with_capacity(entries); NUM_WARPS];
        Self { entries, places: places.into(), active: 0, warps }
    }

    /// A warp gets a place.
    ///
    /// # Errors
    /// A text: all places are taken.
    pub fn activate(&mut self, warp: u8) -> Result<(), String> {
        self.active |= 1 << warp;
        if self.active.count_ones() > self.places {
            return Err(format!(
                "activation of warp slot {warp}: the cache has {} places, scheduler.active_warps, for warps that \
                 the two-level scheduler keeps active, and all are taken",
                self.places
            ));
        }
        Ok(())
    }

    /// Results of the warp allocate no more; its registers stay until they are taken.
    pub fn leave(&mut self, warp: u8) {
        self.active &= !(1 << warp);
    }

    /// A register, if it is there.
    #[must_use]
    pub fn find(&self, warp: u8, register: u8) -> Option<&Entry> {
        self.warps[usize::from(warp)].iter().find(|entry| entry.register == register)
    }

    fn find_mut(&mut self, warp: u8, register: u8) -> Option<&mut Entry> {
        self.warps[usize::from(warp)].iter_mut().find(|entry| entry.register == register)
    }

    /// A register is dead until it is written.
    pub fn bury(&mut self, warp: u8, register: u8) {
        if let Some(entry) = self.find_mut(warp, register) {
            entry.dead = true;
        }
    }

    /// A result. Its register keeps its age where it is there.
    pub fn write(&mut self, warp: u8, register: u8, value: &Value) -> Kept {
        if let Some(entry) = self.find_mut(warp, register) {
            entry.value.update(value);
            entry.dead = false;
            return Kept::InPlace;
        }
        if self.active >> warp & 1 == 0 {
            return Kept::No;
        }
        let held = &mut self.warps[usize::from(warp)];
        let victim = if held.len() == self.entries { held.pop_front() } else { None };
        held.push_back(Entry { register, value: *value, dead: false });
        Kept::Allocated(victim)
    }

    /// The oldest register of a warp leaves the cache, if `leaves` says so of it.
    pub fn take_if(&mut self, warp: u8, leaves: impl FnOnce(&Entry) -> bool) -> Option<Entry> {
        let held = &mut self.warps[usize::from(warp)];
        if held.front().is_some_and(leaves) { held.pop_front() } else { None }
    }

    /// Whether the cache has a register of the warp.
    #[must_use]
    pub fn holds(&self, warp: u8) -> bool {
        !self.warps[usize::from(warp)].is_empty()
    }

    /// The warp has ended.
    pub fn drop_warp(&mut self, warp: u8) {
        self.leave(warp);
        self.warps[usize::from(warp)].clear();
    }
}
