//! How many registers are live while instructions are put into another order.

use super::dependences::{Dependences, Value};

/// Registers that are live behind the instructions so far.
#[derive(Debug)]
pub(super) struct Pressure<'a> {
    dependences: &'a Dependences,
    /// Reads of each value that are still to come.
    left: Vec<u32>,
    live: u32,
}

impl<'a> Pressure<'a> {
    /// Before the first instruction.
    pub(super) fn new(dependences: &'a Dependences) -> Self {
        let values = &dependences.values;
        let live = values.iter().filter(|v| v.live_before).map(|v| v.registers).sum();
        Self { dependences, left: values.iter().map(|v| v.reads).collect(), live }
    }

    /// Whether at most `most` registers are live behind each of the instructions `list`, were they to come next.
    pub(super) fn fits(&mut self, list: &[usize], most: u32) -> bool {
        let mut tried = 0;
        let mut fits = true;
        while fits && tried < list.len() {
            self.add(list[tried]);
            tried += 1;
            fits = self.live <= most;
        }
        list[..tried].iter().rev().for_each(|&at| self.take_back(at));
        fits
    }

    /// Goes on behind instruction `at`.
    pub(super) fn add(&mut self, at: usize) {
        let dependences = self.dependences;
        for &value in &dependences.reads[at] {
            self.left[value] -= 1;
            if !self.needed(value) {
                self.live -= dependences.values[value].registers;
            }
        }
        for &value in &dependences.writes[at] {
            if self.needed(value) {
                self.live += dependences.values[value].registers;
            }
        }
    }

    /// Goes back before instruction `at`, the last one.
    fn take_back(&mut self, at: usize) {
        let dependences = self.dependences;
        for &value in &dependences.writes[at] {
            if self.needed(value) {
                self.live -= dependences.values[value].registers;
            }
        }
        for &value in dependences.reads[at].iter().rev() {
            if !self.needed(value) {
                self.live += dependences.values[value].registers;
            }
            self.left[value] += 1;
        }
    }

    fn needed(&self, value: Value) -> bool {
        self.left[value] > 0 || self.dependences.values[value].live_after
    }
}
