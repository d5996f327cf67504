//! What both files of STT-RAM have towards the SM: collectors, dispatch, the result queue and the
//! handshakes of the register port.

use super::queue::{ResultQueue, Staged, places};
use super::reader::Reader;
use super::{ARRAYS_PER_BANK, address_in_bank, layout};
use crate::baseline::dispatch::{Dispatch, DispatchCycle};
use crate::common::set_bits;
use heddle_port::{
    DesignError, Events, Issue, MAX_PORT_WIDTH, NUM_SOURCES, NUM_WARPS, PortWidths, RegIn, RegOut,
};

/// The side of the SM.
#[derive(Debug, Clone)]
pub struct Front {
    design: &'static str,
    widths: PortWidths,
    cycle: u64,
    /// First register of each warp slot.
    pub base: [u16; NUM_WARPS],
    /// The collectors.
    pub reader: Reader,
    /// Accepted results that are not yet written.
    pub queue: ResultQueue,
    dispatch: Dispatch,
    issue_ready: [bool; MAX_PORT_WIDTH],
    result_ready: [bool; MAX_PORT_WIDTH],
}

/// What the SM's side of the ports did in one cycle, one bit a slot.
#[derive(Debug, Clone, Copy, Default)]
pub struct PortCycle {
    allocated: u32,
    issue_stalled: u32,
    accepted_results: u32,
    result_stalled: u32,
    /// Accepted commands, one bit a command number.
    pub commands: u32,
}

impl Front {
    /// The side of the SM of `design`, with these port slots (at most [`MAX_PORT_WIDTH`]).
    #[must_use]
    pub fn new(design: &'static str, widths: PortWidths) -> Self {
        Self {
            design,
            widths,
            cycle: 0,
            base: [0; NUM_WARPS],
            reader: Reader::default(),
            queue: ResultQueue::default(),
            dispatch: Dispatch::default(),
            issue_ready: [false; MAX_PORT_WIDTH],
            result_ready: [false; MAX_PORT_WIDTH],
        }
    }

    /// The same ports after reset, and the outputs of the first cycle.
    #[must_use]
    pub fn reset(&self) -> (Self, RegOut) {
        let mut front = Self::new(self.design, self.widths);
        front.update_ready();
        let (issue_ready, result_ready) = (front.issue_ready, front.result_ready);
        (front, RegOut { issue_ready, result_ready, command_ready: true, ..RegOut::default() })
    }

    /// Slots of the ports.
    #[must_use]
    pub fn widths(&self) -> PortWidths {
        self.widths
    }

    #[inline]
    fn update_ready(&mut self) {
        let collectors = self.reader.free();
        let places = places(self.widths.result) - self.queue.len();
        self.issue_ready = std::array::from_fn(|slot| slot < self.widths.issue && slot < collectors);
        self.result_ready = std::array::from_fn(|slot| slot < self.widths.result && slot < places);
    }

    /// The SM broke the contract of the port.
    #[cold]
    #[must_use]
    pub fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: self.design, cycle: self.cycle, what }
    }

    #[inline]
    fn address(&self, warp: u8, register: u8) -> Result<u16, DesignError> {
        address_in_bank(self.base[usize::from(warp)], warp, register).map_err(|what| self.contract(what))
    }

    /// Dispatch of the collectors that are complete.
    #[inline]
    pub fn dispatch(&mut self, input: &RegIn) -> DispatchCycle {
        let reader = &self.reader;
        let (complete, ready) = (reader.complete(), &input.operands_ready);
        self.dispatch.step(complete, |c| reader.tag(c), ready, self.widths.issue)
    }

    /// Puts the accepted instructions into the collectors; `check` says what is wrong with one.
    ///
    /// # Errors
    /// [`DesignError::Contract`].
    #[inline]
    pub fn accept_issues(
        &mut self,
        input: &RegIn,
        port: &mut PortCycle,
        check: impl Fn(&Issue) -> Option<String>,
    ) -> Result<(), DesignError> {
        for (slot, issue) in input.issue.iter().enumerate().take(self.widths.issue) {
            if !issue.valid {
                continue;
            }
            if !self.issue_ready[slot] {
                port.issue_stalled |= 1 << slot;
                continue;
            }
            if let Some(what) = check(issue) {
                return Err(self.contract(what));
            }
            let mut arrays = [0; NUM_SOURCES];
            for (source, array) in arrays.iter_mut().enumerate() {
                if issue.source_valid >> source & 1 != 0 {
                    let address = self.address(issue.warp, issue.source[source])?;
                    *array = (usize::from(address) % ARRAYS_PER_BANK) as u8;
                }
            }
            port.allocated |= 1 << self.reader.allocate(issue, arrays);
        }
        Ok(())
    }

    /// Puts the accepted results into the queue.
    ///
    /// # Errors
    /// [`DesignError::Contract`].
    #[inline]
    pub fn accept_results(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<(), DesignError> {
        for (slot, result) in input.result.iter().enumerate().take(self.widths.result) {
            if !result.valid {
                continue;
            }
            if !self.result_ready[slot] {
                port.result_stalled |= 1 << slot;
                continue;
            }
            self.address(result.warp, result.register)?;
            self.queue.push(Staged { warp: result.warp, number: result.register });
            port.accepted_results |= 1 << slot;
        }
        Ok(())
    }

    /// Ends the cycle: what the SM sees of the collectors and the queue in the next one.
    #[inline]
    pub fn finish(&mut self, out: &mut RegOut) {
        self.update_ready();
        self.cycle += 1;
        out.issue_ready = self.issue_ready;
        out.operands = *self.dispatch.slots();
        out.result_ready = self.result_ready;
    }
}

impl PortCycle {
    /// Events of the ports.
    #[inline]
    pub fn events(&self, events: &mut Events, dispatch: &DispatchCycle) {
        set_bits(events, layout::COLLECTOR_ALLOC, self.allocated);
        set_bits(events, layout::COLLECTOR_DISPATCH, dispatch.dispatched);
        set_bits(events, layout::RESULT_ACCEPT, self.accepted_results);
        set_bits(events, layout::OPERAND_STALL, dispatch.stalled);
        set_bits(events, layout::ISSUE_STALL, self.issue_stalled);
        set_bits(events, layout::RESULT_STALL, self.result_stalled);
        set_bits(events, layout::COMMAND, self.commands);
    }
}
