//! The commands to the design, and what its answers change.

use heddle_isa::IntervalId;
use heddle_mem::FirstLevelPort;
use heddle_port::{Command, CommandOp, Cycle, RegIn, RegOut};

use crate::error::SmError;
use crate::observer::Observer;
use crate::scheduler::rotating_pick;
use crate::sm::Sm;
use crate::warp::State;

impl<P: FirstLevelPort> Sm<P> {
    /// The warp needs the working set of `interval` before its next instruction.
    pub(crate) fn begin_prefetch(&mut self, w: usize, interval: IntervalId) {
        self.warps[w].target = interval;
        self.states.set(w, State::Prefetching);
        self.residency.want_command(w);
        self.progress();
    }

    /// Sends one command, if the design takes one.
    pub(crate) fn command_stage<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        if !out.command_ready {
            return Ok(());
        }
        if !self.residency.kernel_sent {
            self.residency.kernel_sent = true;
            input.command = Command {
                valid: true,
                op: CommandOp::KernelStart as u8,
                value: self.kernel.program().num_regs as u16,
                gating: self.preset.register_file.buffer_gating,
                ..Command::default()
            };
        } else if let Some(block) = self.residency.mapping.pop() {
            input.command = block.command();
        } else {
            let mut wanting = self.residency.wanting;
            let chosen = loop {
                let Some(w) = rotating_pick(wanting, self.residency.command_pointer) else { return Ok(()) };
                if self.may_send(w) {
                    break w;
                }
                wanting &= !(1 << w);
            };
            self.residency.command_pointer = chosen as u32 + 1;
            self.residency.wanting &= !(1 << chosen);
            input.command = self.command_of(chosen);
        }
        self.progress();
        let result = observer.command(Cycle(self.cycle), &input.command);
        self.stop(result)
    }

    /// What the port asks before a command: no operand read outstanding, at exit nothing at all.
    fn may_send(&self, w: usize) -> bool {
        match self.states.get(w) {
            State::Prefetching | State::Deactivating => !self.dependences.is_collecting(w),
            State::Exiting => self.dependences.is_drained(w),
            _ => true,
        }
    }

    fn command_of(&mut self, w: usize) -> Command {
        let warp = &self.warps[w];
        let mut command = Command { valid: true, warp: w as u8, ..Command::default() };
        let op = match self.states.get(w) {
            State::Base => {
                command.value = warp.base;
                CommandOp::WarpBase
            }
            State::Activating => {
                self.counters.activates();
                CommandOp::Activate
            }
            State::Deactivating => {
                self.counters.deactivates(warp.leaves_barrier);
                CommandOp::Deactivate
            }
            State::Prefetching => {
                command.interval = warp.target.0;
                command.vector = self.kernel.working_set(warp.target);
                self.counters.prefetches(&command.vector);
                self.warps[w].prefetch_sent = self.cycle;
                CommandOp::Prefetch
            }
            State::Exiting | State::Empty | State::Inactive | State::Active => CommandOp::Exit,
        };
        command.op = op as u8;
        command
    }

    /// A command was carried out.
    pub(crate) fn done_stage<O: Observer>(&mut self, out: &RegOut, observer: &mut O) -> Result<(), SmError> {
        if !out.done.valid {
            return Ok(());
        }
        let w = usize::from(out.done.warp);
        let result = observer.done(Cycle(self.cycle), &out.done);
        self.stop(result)?;
        self.progress();
        let op = CommandOp::from_code(out.done.op);
        match op {
            Some(CommandOp::KernelStart) => {
                self.residency.kernel_started = true;
                return Ok(());
            }
            Some(CommandOp::MapEntry) => return Ok(()),
            _ => {}
        }
        let outstanding = self.residency.wanting >> w & 1 == 0;
        match (op, self.states.get(w)) {
            (Some(CommandOp::WarpBase), State::Base) if outstanding => self.states.set(w, State::Inactive),
            (Some(CommandOp::Activate), State::Activating) if outstanding => {
                self.states.set(w, State::Active);
                if let Some(left) = self.warps[w].left {
                    self.counters.returns(self.cycle - left);
                }
            }
            (Some(CommandOp::Deactivate), State::Deactivating) if outstanding => {
                self.states.set(w, State::Inactive);
                self.warps[w].left = Some(self.cycle);
            }
            (Some(CommandOp::Prefetch), State::Prefetching) if outstanding => {
                self.warps[w].interval = Some(self.warps[w].target);
                let taken = self.cycle - self.warps[w].prefetch_sent;
                self.counters.prefetched(taken);
                self.states.set(w, State::Active);
            }
            (Some(CommandOp::Exit), State::Exiting) if outstanding => self.free_warp(w, observer)?,
            (_, state) => {
                let what = format!("done of command {} for W{w}, whose state is {state:?}", out.done.op);
                let flow = &self.warps[w].flow;
                return Err(self.protocol_of_warp(w, (!flow.is_done()).then(|| flow.pc()), what));
            }
        }
        Ok(())
    }
}
