//! What the levels did in a cycle, as events.

use crate::common::event_fields;
use heddle_port::Events;

event_fields! {
    /// Places of the events of the levels.
    pub(super) struct Fields {
        operand_read,
        last_read,
        main_read,
        operand_fill,
        result_to_operand,
        result_to_last,
        result_to_main,
    }
}

/// What happened since the cycle began, one bit each as the manifest says.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Happened {
    pub operand: u128,
    pub last: u128,
    pub main: u128,
    pub fill: u128,
    pub to_operand: u64,
    pub to_last: u64,
    pub to_main: u64,
}

impl Fields {
    /// Writes what happened to its places.
    pub(super) fn put(&self, now: &Happened, events: &mut Events) {
        self.operand_read.set_wide(events, now.operand);
        self.last_read.set_wide(events, now.last);
        self.main_read.set_wide(events, now.main);
        self.operand_fill.set_wide(events, now.fill);
        self.result_to_operand.set(events, now.to_operand);
        self.result_to_last.set(events, now.to_last);
        self.result_to_main.set(events, now.to_main);
    }
}
