//! The commands to the design, and what its answers change.

use heddle_port::{Command, CommandOp, Done};

use super::{Residency, State};
use crate::counters::Counters;
use crate::dependences::Dependences;
use crate::kernel::Kernel;
use crate::scheduler::rotating_pick;

/// What the design has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// What it was asked for; a warp or the kernel is in its next state.
    Taken,
    /// The warp has left.
    Left,
    /// What it was not asked for; the state of the warp.
    Wrong(State),
}

impl Residency {
    /// Some command is still to be sent.
    #[inline]
    pub fn wants_any_command(&self) -> bool {
        self.wanting != 0 || !self.kernel_sent || !self.mapping.is_empty()
    }

    /// The command that is sent in this cycle, if there is one.
    pub fn command(
        &mut self,
        cycle: u64,
        kernel: &Kernel,
        dependences: &Dependences,
        counters: &mut Counters,
    ) -> Option<Command> {
        if !self.kernel_sent {
            self.kernel_sent = true;
            return Some(Command {
                valid: true,
                op: CommandOp::KernelStart as u8,
                value: kernel.program().num_regs as u16,
                gating: self.gating,
                ..Command::default()
            });
        }
        if let Some(block) = self.mapping.pop() {
            return Some(block.command());
        }
        // Warps that have their registers go on before others are given theirs, so that the first ones of many issue early.
        let begin = self.wanting & self.states.in_state(State::Base);
        let chosen =
            self.pick(self.wanting & !begin, dependences).or_else(|| self.pick(begin, dependences))?;
        self.command_pointer = chosen as u32 + 1;
        self.wanting &= !(1 << chosen);
        Some(self.command_of(chosen, cycle, kernel, counters))
    }

    /// The next of some warps in turn whose command can be sent.
    fn pick(&self, mut wanting: u64, dependences: &Dependences) -> Option<usize> {
        loop {
            let w = rotating_pick(wanting, self.command_pointer)?;
            if self.may_send(w, dependences) {
                return Some(w);
            }
            wanting &= !(1 << w);
        }
    }

    /// What the port asks before a command: no operand read outstanding, at exit nothing at all.
    fn may_send(&self, w: usize, dependences: &Dependences) -> bool {
        match self.states.get(w) {
            State::Prefetching | State::Deactivating => !dependences.is_collecting(w),
            State::Exiting => dependences.is_drained(w),
            _ => true,
        }
    }

    fn command_of(&mut self, w: usize, cycle: u64, kernel: &Kernel, counters: &mut Counters) -> Command {
        let stay = &mut self.stays[w];
        let mut command = Command { valid: true, warp: w as u8, ..Command::default() };
        let op = match self.states.get(w) {
            State::Base => {
                command.value = stay.base;
                CommandOp::WarpBase
            }
            State::Activating => {
                counters.activates();
                CommandOp::Activate
            }
            State::Deactivating => {
                counters.deactivates(stay.leaves_barrier);
                CommandOp::Deactivate
            }
            State::Prefetching => {
                command.interval = stay.target.0;
                command.vector = kernel.working_set(stay.target);
                counters.prefetches(&command.vector);
                stay.prefetch_sent = cycle;
                CommandOp::Prefetch
            }
            State::Exiting | State::Storing | State::Empty | State::Inactive | State::Active => {
                CommandOp::Exit
            }
        };
        command.op = op as u8;
        command
    }

    /// A command was carried out.
    pub fn answer(&mut self, done: &Done, cycle: u64, counters: &mut Counters) -> Answer {
        let op = CommandOp::from_code(done.op);
        match op {
            Some(CommandOp::KernelStart) => {
                self.kernel_started = true;
                return Answer::Taken;
            }
            Some(CommandOp::MapEntry) => return Answer::Taken,
            _ => {}
        }
        let w = usize::from(done.warp);
        let outstanding = self.wanting >> w & 1 == 0;
        match (op, self.states.get(w)) {
            (Some(CommandOp::WarpBase), State::Base) if outstanding => self.states.set(w, State::Inactive),
            (Some(CommandOp::Activate), State::Activating) if outstanding => {
                self.states.set(w, State::Active);
                if let Some(left) = self.stays[w].left {
                    counters.returns(cycle - left);
                }
            }
            (Some(CommandOp::Deactivate), State::Deactivating) if outstanding => {
                self.states.set(w, State::Inactive);
                self.stays[w].left = Some(cycle);
            }
            (Some(CommandOp::Prefetch), State::Prefetching) if outstanding => {
                let stay = &mut self.stays[w];
                stay.interval = Some(stay.target);
                counters.prefetched(cycle - stay.prefetch_sent);
                self.states.set(w, State::Active);
            }
            (Some(CommandOp::Exit), State::Exiting) if outstanding => return Answer::Left,
            (_, state) => return Answer::Wrong(state),
        }
        Answer::Taken
    }
}
