//! One launch of a sampled run: windows of the cycle model, and functional stretches between them.

use heddle_port::{RegOut, RegisterFile};
use heddle_sm::Sm;

use super::LaunchContext;
use super::failure::sim_failure;
use super::simulated::Simulated;
use crate::error::RunError;
use crate::sampling::{LaunchSample, Schedule, Window};

/// Instructions of functional stretches without a barrier that opens or a CTA that ends. Then the launch goes on in detail,
/// where warps that never get anywhere are found.
const MOST_WITHOUT_MOVEMENT: u64 = 1 << 26;

/// Instructions of a stretch between two looks at the clock of the run and at whether anything moves.
const PIECE: u64 = 1 << 20;

/// A launch on its way.
struct Launch<'a, 'c> {
    context: &'a mut LaunchContext<'c>,
    machine: Simulated<'a>,
    /// CTAs that are resident at once as long as they are replaced.
    full: usize,
    /// Instructions executed in stretches.
    functional: u64,
    /// Of these, since the last movement, and the movements up to then.
    unmoved: (u64, u64),
}

/// Runs a launch with the cycle model in windows of `schedule`, which is of this launch.
///
/// # Errors
/// As [`super::run_sim`].
pub fn run_sampled(
    context: &mut LaunchContext<'_>,
    sm: &mut Sm,
    model: &mut dyn RegisterFile,
    out: RegOut,
    registers_per_thread: u32,
    schedule: &mut Schedule,
) -> Result<LaunchSample, RunError> {
    let full = u64::from(sm.occupancy().ctas).min(context.ctas) as usize;
    let machine = Simulated::new(sm, model, out, registers_per_thread);
    let mut launch = Launch { context, machine, full, functional: 0, unmoved: (0, 0) };
    launch.run(schedule)
}

impl Launch<'_, '_> {
    fn run(&mut self, schedule: &mut Schedule) -> Result<LaunchSample, RunError> {
        let plan = schedule.plan();
        self.detail(plan.warm_up + plan.window)?;
        let head = self.now();
        let mut windows = Vec::new();
        while !self.is_ending() {
            let stretch = schedule.next_stretch();
            if stretch > 0 && !self.stretch(stretch)? {
                break;
            }
            self.detail(plan.warm_up)?;
            let begin = self.now();
            if self.detail(plan.window)? {
                windows.push(Window {
                    instructions: self.now().instructions - begin.instructions,
                    cycles: self.now().cycles - begin.cycles,
                });
            }
        }
        let end = self.now();
        while !self.machine.sm.is_done() {
            self.machine.tick(self.context, &mut ())?;
        }
        self.machine.flush(self.context)?;
        let last = self.now();
        let sample = LaunchSample {
            entry: String::new(),
            instructions: last.instructions + self.functional,
            detailed_instructions: last.instructions,
            detailed_cycles: last.cycles,
            counted_instructions: last.instructions,
            counted_cycles: last.cycles,
            windows,
        };
        if self.functional == 0 {
            // Everything ran in detail: there is nothing to estimate, and what was seen is no window.
            return Ok(LaunchSample { windows: Vec::new(), ..sample });
        }
        Ok(LaunchSample {
            counted_instructions: head.instructions + last.instructions - end.instructions,
            counted_cycles: head.cycles + last.cycles - end.cycles,
            ..sample
        })
    }

    /// What has issued in cycles, and these.
    fn now(&self) -> Window {
        Window { instructions: self.machine.sm.issued(), cycles: self.machine.sm.cycle().0 }
    }

    /// The launch is over, or its CTAs are no longer replaced.
    fn is_ending(&self) -> bool {
        let sm = &*self.machine.sm;
        sm.is_done() || sm.has_started_all() && sm.live_ctas() < self.full
    }

    /// Cycles until `instructions` have issued; false if the end of the launch comes before.
    fn detail(&mut self, instructions: u64) -> Result<bool, RunError> {
        let until = self.machine.sm.issued() + instructions;
        while self.machine.sm.issued() < until {
            if self.is_ending() {
                return Ok(false);
            }
            self.machine.tick(self.context, &mut ())?;
        }
        Ok(true)
    }

    /// `instructions` warp instructions without time; false if the end of the launch comes before, or nothing has moved for so
    /// long that it may be stuck.
    fn stretch(&mut self, instructions: u64) -> Result<bool, RunError> {
        let mut left = instructions;
        self.machine.sm.hold_issue(true);
        loop {
            while !self.machine.sm.is_settled() && !self.machine.sm.is_done() {
                self.machine.tick(self.context, &mut ())?;
            }
            if left == 0 || self.is_ending() || self.is_stuck() {
                break;
            }
            let Simulated { sm, registers, .. } = &mut self.machine;
            let advanced =
                sm.advance(registers, left.min(PIECE)).map_err(|e| sim_failure(self.context, &e))?;
            left -= advanced.instructions;
            self.functional += advanced.instructions;
            self.note_movement(advanced.instructions);
            let cycles = self.context.base_cycle + self.machine.sm.cycle().0;
            self.context.report_now(&*self.machine.sm, cycles)?;
            if advanced.instructions == 0 {
                break;
            }
        }
        self.machine.sm.hold_issue(false);
        Ok(!self.is_ending() && !self.is_stuck())
    }

    /// `instructions` more were executed in a stretch.
    fn note_movement(&mut self, instructions: u64) {
        let (unmoved, movements) = self.unmoved;
        let now = self.machine.sm.movements();
        let since = if now == movements { unmoved } else { 0 };
        self.unmoved = (since.saturating_add(instructions), now);
    }

    /// Nothing has moved for long.
    fn is_stuck(&self) -> bool {
        self.unmoved.0 >= MOST_WITHOUT_MOVEMENT
    }
}
