//! Whether anything moves at all.

use heddle_config::Preset;

/// Cycles without any movement after which a run is given up, unless its memory is slower or they are set.
const LIMIT: u64 = 20_000;

/// When the machine last moved, and how long it may stand still.
#[derive(Debug, Clone)]
pub struct Hang {
    last: u64,
    limit: u64,
}

impl Hang {
    /// A machine of `preset`, in which nothing else moves while a load goes to DRAM and comes back; twice that is no hang yet.
    pub fn new(preset: &Preset) -> Self {
        let (net, dram) = (&preset.interconnect, &preset.dram);
        let row = [dram.cl, dram.rp, dram.rc, dram.rcd].map(|t| dram.core_cycles(t, preset.gpu.core_mhz));
        let fixed = [
            preset.l1d.hit_latency,
            net.request_delay,
            preset.l2.latency,
            dram.translation_latency,
            dram.latency,
            net.reply_delay,
        ];
        let way = row.into_iter().chain(fixed.map(u64::from)).sum::<u64>();
        Self { last: 0, limit: LIMIT.max(2 * way) }
    }

    /// Sets the cycles without movement after which it hangs, at least 1.
    pub fn set_limit(&mut self, cycles: u64) {
        self.limit = cycles.max(1);
    }

    /// The machine moved.
    #[inline]
    pub fn moves(&mut self, cycle: u64) {
        self.last = cycle;
    }

    /// Cycles without movement, if they are too many.
    #[inline]
    pub fn hangs(&self, cycle: u64) -> Option<u64> {
        let idle = cycle - self.last;
        (idle > self.limit).then_some(idle)
    }
}
