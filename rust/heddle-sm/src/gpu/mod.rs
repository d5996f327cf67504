//! Many SMs that share L2, DRAM and global memory.
//!
//! Each SM has its own L1 and design. In a cycle the SMs move one after the other, in the order of their numbers, and
//! then the networks, L2 and DRAM. Accesses to global memory are performed where an SM alone performs them, at its L1, so the
//! order of all of them is that of (cycle, SM). An L1 is not coherent with the others: a hit finds the line as it was taken.

mod between;
mod distributor;
mod rendezvous;
mod run;
mod threads;

use heddle_isa::DeviceMemory;
use heddle_mem::{FirstLevel, Lower, MemoryStatistics, Offer, Share};
use heddle_port::{RegIn, RegOut};

use self::distributor::Distributor;
pub use self::run::{Behind, GpuError};
pub use self::threads::{Threads, ThreadsError};
use crate::error::SmError;
use crate::launch::CtaChoice;
use crate::observer::Observer;
use crate::registers::OperandSource;
use crate::sm::Sm;
use crate::statistics::FlushStatistics;

/// The SMs of a launch and what they share.
#[derive(Debug, Clone)]
pub struct Gpu {
    sms: Vec<Sm<FirstLevel>>,
    lower: Lower,
    /// What L2 and DRAM had counted before the launch, and when its flush began.
    before: MemoryStatistics,
    before_flush: Option<MemoryStatistics>,
    global: DeviceMemory,
    distributor: Distributor,
    requests: Vec<Offer>,
    cycle: u64,
}

impl Gpu {
    /// The SMs of `share`, each as `sm` is before its first cycle, with the CTAs of `choice`, and with L2 and DRAM as an
    /// earlier launch of the same share left them. Global memory is that of `sm`.
    #[must_use]
    pub fn new(mut sm: Sm<FirstLevel>, share: Share, choice: CtaChoice, lower: Option<Lower>) -> Self {
        let lower = lower.unwrap_or_else(|| Lower::of_share(sm.preset(), share));
        let distributor = Distributor::new(choice, sm.launch().num_ctas());
        let global = sm.become_one_of_many();
        let count = share.sms() as usize;
        Self {
            sms: vec![sm; count],
            before: lower.statistics(),
            before_flush: None,
            lower,
            global,
            distributor,
            requests: vec![Offer::default(); count],
            cycle: 0,
        }
    }

    /// The SMs.
    #[must_use]
    pub fn sms(&self) -> &[Sm<FirstLevel>] {
        &self.sms
    }

    /// An SM, for its memory port.
    pub fn sm_mut(&mut self, sm: usize) -> &mut Sm<FirstLevel> {
        &mut self.sms[sm]
    }

    /// Cycles so far.
    #[must_use]
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// CTAs that have ended.
    #[must_use]
    pub fn ctas_done(&self) -> u64 {
        self.sms.iter().map(Sm::ctas_done).sum()
    }

    /// What L2, the ways past it and DRAM counted in this launch, without its flush.
    #[must_use]
    pub fn below(&self) -> MemoryStatistics {
        let now = self.before_flush.unwrap_or_else(|| self.lower.statistics());
        now.lower_since(&self.before)
    }

    /// What L2 and DRAM counted in the flush.
    #[must_use]
    pub fn flush(&self) -> FlushStatistics {
        let Some(before) = self.before_flush else { return FlushStatistics::default() };
        let after = self.lower.statistics().lower_since(&before);
        FlushStatistics { cycles: 0, l2: after.l2, dram: after.dram }
    }

    /// All CTAs have finished on all SMs, and nothing is on its way.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.distributor.is_over() && self.lower.is_idle() && self.sms.iter().all(Sm::is_done)
    }

    /// Begins a cycle: CTAs are handed out, and each SM sees what the networks bring.
    pub fn begin_cycle(&mut self) {
        let sms = &mut self.sms;
        if !self.distributor.is_over() {
            self.distributor.step(sms.len(), |sm, cta| {
                let has_room = sms[sm].has_room();
                if has_room {
                    sms[sm].take_cta(cta);
                }
                has_room
            });
            if self.distributor.is_over() {
                sms.iter_mut().for_each(Sm::give_no_more);
            }
        }
        if self.lower.is_serial() {
            self.sms.iter_mut().for_each(Sm::wait_its_turn);
        }
        self.see_lower();
    }

    fn see_lower(&mut self) {
        for (number, sm) in self.sms.iter_mut().enumerate() {
            sm.share(&self.lower, number);
        }
    }

    /// The cycle of one SM, as [`Sm::tick`].
    ///
    /// # Errors
    /// As [`Sm::tick`].
    pub fn tick<D: OperandSource, O: Observer>(
        &mut self,
        sm: usize,
        (out, operands): (&RegOut, &D),
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let sm = &mut self.sms[sm];
        sm.swap_global(&mut self.global);
        let result = sm.tick(out, operands, input, observer);
        sm.swap_global(&mut self.global);
        result
    }

    /// Ends a cycle: the networks, L2 and DRAM move.
    ///
    /// # Errors
    /// What the auditors of memory find.
    pub fn end_cycle(&mut self) -> Result<(), SmError> {
        for (request, sm) in self.requests.iter_mut().zip(&self.sms) {
            *request = *sm.offered();
        }
        self.cycle += 1;
        self.lower.step(&self.requests).map_err(|error| SmError::Memory { cycle: self.cycle, error })
    }

    /// After the end of the launch: asks the designs that hold the L1 to write their dirty lines back. False for other
    /// designs. Then [`Gpu::begin_flush_cycle`] and [`Gpu::end_flush_cycle`] stand around the designs' clock edges until
    /// [`Gpu::is_done`] again.
    pub fn begin_flush(&mut self) -> bool {
        let mut any = false;
        for sm in &mut self.sms {
            any |= sm.begin_flush();
        }
        if any {
            self.before_flush = Some(self.lower.statistics());
        }
        self.see_lower();
        any
    }

    /// The SMs' side of a cycle of the flush.
    ///
    /// # Errors
    /// As [`Sm::tick`], with the number of the SM.
    pub fn begin_flush_cycle(&mut self) -> Result<(), (usize, SmError)> {
        self.see_lower();
        let mut sms = self.sms.iter_mut().enumerate();
        sms.try_for_each(|(number, sm)| sm.flush_tick().map_err(|error| (number, error)))
    }

    /// The memory's side of a cycle of the flush; it is no cycle of the launch.
    ///
    /// # Errors
    /// As [`Gpu::end_cycle`].
    pub fn end_flush_cycle(&mut self) -> Result<(), SmError> {
        let cycle = self.cycle;
        let ended = self.end_cycle();
        self.cycle = cycle;
        self.see_lower();
        ended
    }

    /// Global memory, when the launch is over, and L2 and DRAM for the next one.
    #[must_use]
    pub fn into_parts(self) -> (DeviceMemory, Lower) {
        (self.global, self.lower)
    }
}
