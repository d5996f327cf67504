//! Whether the values of a configuration fit each other and the ports.

use crate::preset::Preset;
use crate::shared_memory::{SPLIT_STEPS, SharedMemory, Split};

impl Preset {
    /// Whether the values fit each other and the ports.
    ///
    /// # Errors
    /// The key that does not fit, its value and what is allowed.
    pub fn validate(&self) -> Result<(), (&'static str, u64, &'static str)> {
        let range = |key, value: u32, low: u32, high: u32, allowed| {
            if (low..=high).contains(&value) { Ok(()) } else { Err((key, u64::from(value), allowed)) }
        };
        range("gpu.sms", self.gpu.sms, 1, 1024, "1 to 1024")?;
        range("gpu.core_mhz", self.gpu.core_mhz, 1, 10_000, "1 to 10000")?;
        range("sm.warps", self.sm.warps, 1, 64, "1 to 64")?;
        range("sm.ctas", self.sm.ctas, 1, 32, "1 to 32")?;
        range("sm.registers", self.sm.registers, 1024, 1 << 22, "1024 to 4194304")?;
        range("sm.register_granularity", self.sm.register_granularity, 1, 256, "1 to 256")?;
        range("sm.issue_width", self.sm.issue_width, 1, 4, "1 to 4")?;
        range("sm.result_width", self.sm.result_width, 1, 4, "1 to 4")?;
        range("sm.instruction_buffer", self.sm.instruction_buffer, 1, 64, "1 to 64")?;
        range("sm.fetch_width", self.sm.fetch_width, 1, 64, "1 to 64")?;
        range("sm.branch_bubble", self.sm.branch_bubble, 0, 1000, "0 to 1000")?;
        range("sm.memory_instructions", self.sm.memory_instructions, 1, 255, "1 to 255")?;
        range("sm.cta_interval", self.sm.cta_interval, 1, 1000, "1 to 1000")?;
        range("sm.operands_refused", self.sm.operands_refused, 0, 7, "0 to 7")?;
        range(
            "scheduler.schedulers",
            self.scheduler.schedulers,
            1,
            self.sm.issue_width,
            "1 to sm.issue_width",
        )?;
        range("scheduler.active_warps", self.scheduler.active_warps, 1, 64, "1 to 64")?;
        let rf = &self.register_file;
        for (key, ps, cycles) in [
            ("register_file.read_ps", rf.read_ps, rf.bank_cycles),
            ("register_file.write_ps", rf.write_ps, rf.write_cycles),
            ("register_file.shift_ps", rf.shift_ps, rf.shift_cycles),
        ] {
            if ps != 0 && cycles > 255 {
                return Err((key, u64::from(ps), "at most 255 cycles of gpu.core_mhz"));
            }
        }
        range("register_file.bank_cycles", rf.bank_cycles, 1, 255, "1 to 255")?;
        range("register_file.bank_eighths", rf.bank_eighths, 0, 7, "0 to 7")?;
        if rf.read_ps != 0 && rf.bank_eighths != 0 {
            let eighths = u64::from(rf.bank_eighths);
            return Err(("register_file.bank_eighths", eighths, "0 where register_file.read_ps is given"));
        }
        range("register_file.crossbar_cycles", rf.crossbar_cycles, 1, 255, "1 to 255")?;
        range("register_file.rows_per_bank", rf.rows_per_bank, 1, 65535, "1 to 65535")?;
        if ![4, 8, 16, 32, 64, 128].contains(&rf.banks) {
            return Err(("register_file.banks", u64::from(rf.banks), "4, 8, 16, 32, 64 or 128"));
        }
        range("register_file.registers_per_interval", rf.registers_per_interval, 6, 255, "6 to 255")?;
        range("register_file.write_cycles", rf.write_cycles, 1, 255, "1 to 255")?;
        range("register_file.shift_cycles", rf.shift_cycles, 0, 255, "0 to 255")?;
        range("register_file.max_registers", rf.max_registers, 1, 255, "1 to 255")?;
        range("register_file.warp_banks", rf.warp_banks, 1, 2, "1 or 2")?;
        if ![1, 2, 4].contains(&rf.sub_cores) {
            return Err(("register_file.sub_cores", u64::from(rf.sub_cores), "1, 2 or 4"));
        }
        range("register_file.wakeup_cycles", rf.wakeup_cycles, 1, 255, "1 to 255")?;
        if ![2, 4, 8].contains(&rf.ways) {
            return Err(("register_file.ways", u64::from(rf.ways), "2, 4 or 8"));
        }
        self.instruction_cache.validate()?;
        range("compiler.early_loads", self.compiler.early_loads, 0, 255, "0 to 255")?;
        self.pipeline.validate()?;
        for (key, value) in
            [("l1d.hit_latency", self.l1d.hit_latency), ("shared_memory.latency", self.shared_memory.latency)]
        {
            range(key, value, 1, 1000, "1 to 1000")?;
        }
        range("l2.latency", self.l2.latency, 1, 10_000, "1 to 10000")?;
        range("dram.latency", self.dram.latency, 1, 10_000, "1 to 10000")?;
        range("l1d.line_bytes", self.l1d.line_bytes, 128, 128, "128")?;
        range("l2.line_bytes", self.l2.line_bytes, 128, 128, "128")?;
        range("shared_memory.banks", self.shared_memory.banks, 32, 32, "32")?;
        let (unified, registers) = (self.l1d.unified_bytes, self.sm.registers.saturating_mul(4));
        if unified != 0 && !((registers..=1 << 24).contains(&unified) && unified.is_multiple_of(128)) {
            let allowed = "0, or at least 4 x sm.registers, at most 16777216 and a multiple of 128";
            return Err(("l1d.unified_bytes", u64::from(unified), allowed));
        }
        for (key, bytes) in
            [("l1d.sector_bytes", self.l1d.sector_bytes), ("l2.sector_bytes", self.l2.sector_bytes)]
        {
            if ![32, 64, 128].contains(&bytes) {
                return Err((key, u64::from(bytes), "32, 64 or 128"));
            }
        }
        self.check_split()?;
        self.check_lower()?;
        range("dram.translation_latency", self.dram.translation_latency, 0, 10_000, "0 to 10000")?;
        let cache = self.shared_memory.cache_bytes;
        if !(1 << 10..=1 << 17).contains(&cache) || !cache.is_power_of_two() {
            let allowed = "a power of two from 1024 to 131072";
            return Err(("shared_memory.cache_bytes", cache.into(), allowed));
        }
        range("shared_memory.reads_to_unlock", self.shared_memory.reads_to_unlock, 0, 15, "0 to 15")?;
        range("l1d.mshrs", self.l1d.mshrs, 1, 1024, "1 to 1024")?;
        range("l1d.mshr_merges", self.l1d.mshr_merges, 1, 64, "1 to 64")?;
        range("l1d.ways", self.l1d.ways, 1, 1 << 17, "1 to 131072")?;
        range("l2.ways", self.l2.ways, 1, 1 << 17, "1 to 131072")?;
        for (key, bytes, ways) in
            [("l1d.bytes", self.l1d.bytes, self.l1d.ways), ("l2.bytes", self.l2.bytes, self.l2.ways)]
        {
            if bytes == 0 || bytes % (ways.saturating_mul(128)) != 0 {
                return Err((key, u64::from(bytes), "a positive multiple of ways x 128"));
            }
        }
        range("l2.slice_bytes", self.l2.slice_bytes, 1, 4096, "1 to 4096")?;
        let d = &self.dram;
        range("dram.channels", d.channels, 1, 256, "1 to 256")?;
        range("dram.banks_per_channel", d.banks_per_channel, 1, 256, "1 to 256")?;
        range("dram.row_bytes", d.row_bytes, 128, 1 << 20, "128 to 1048576")?;
        if !d.row_bytes.is_multiple_of(128) {
            return Err(("dram.row_bytes", u64::from(d.row_bytes), "a multiple of 128"));
        }
        for (key, value) in [
            ("dram.cl", d.cl),
            ("dram.rp", d.rp),
            ("dram.rc", d.rc),
            ("dram.ras", d.ras),
            ("dram.rcd", d.rcd),
            ("dram.rrd", d.rrd),
        ] {
            range(key, value, 0, 10_000, "0 to 10000")?;
        }
        range("dram.clock_mhz", d.clock_mhz, 1, 100_000, "1 to 100000")?;
        range("dram.bytes_per_clock", d.bytes_per_clock, 1, 4096, "1 to 4096")?;
        Ok(())
    }

    /// Networks, and the queues of L2 and DRAM.
    fn check_lower(&self) -> Result<(), (&'static str, u64, &'static str)> {
        let (l2, net, dram) = (&self.l2, &self.interconnect, &self.dram);
        for (key, value, low, high, allowed) in [
            ("l2.slices", l2.slices, 1, 1024, "1 to 1024"),
            ("l2.mshrs", l2.mshrs, 1, 4096, "1 to 4096"),
            ("l2.mshr_merges", l2.mshr_merges, 1, 64, "1 to 64"),
            ("l2.atomic_interval", l2.atomic_interval, 0, 16, "0 to 16"),
            ("l2.queue", l2.queue, l2.mshr_merges, 4096, "l2.mshr_merges to 4096"),
            ("interconnect.request_delay", net.request_delay, 1, 10_000, "1 to 10000"),
            ("interconnect.reply_delay", net.reply_delay, 1, 10_000, "1 to 10000"),
            ("interconnect.flit_bytes", net.flit_bytes, 1, 1024, "1 to 1024"),
            ("interconnect.credits", net.credits, 1, 4096, "1 to 4096"),
            ("dram.queue", dram.queue, 1, 1024, "1 to 1024"),
            ("dram.write_queue", dram.write_queue, 1, 1024, "1 to 1024"),
            ("dram.write_high", dram.write_high, 1, dram.write_queue, "1 to dram.write_queue"),
            (
                "dram.write_low",
                dram.write_low,
                0,
                dram.write_high.saturating_sub(1),
                "less than dram.write_high",
            ),
        ] {
            if !(low..=high).contains(&value) {
                return Err((key, u64::from(value), allowed));
            }
        }
        Ok(())
    }

    fn check_split(&self) -> Result<(), (&'static str, u64, &'static str)> {
        let SharedMemory { split, unified_bytes, .. } = self.shared_memory;
        let bytes = u64::from(unified_bytes);
        let set = self.l1d_set_bytes();
        let largest = SPLIT_STEPS[SPLIT_STEPS.len() - 1];
        let key = "shared_memory.unified_bytes";
        match split {
            Split::Fixed if unified_bytes != 0 => {
                return Err((key, bytes, "0 where shared_memory.split is fixed"));
            }
            Split::Auto if unified_bytes < largest.saturating_add(set) || unified_bytes > 1 << 24 => {
                return Err((
                    key,
                    bytes,
                    "98304 and a set of the L1D at least, where shared_memory.split is auto",
                ));
            }
            Split::Exact if unified_bytes < set || unified_bytes > 1 << 24 => {
                return Err((key, bytes, "a set of the L1D at least, where shared_memory.split is exact"));
            }
            _ => {}
        }
        if split != Split::Fixed && self.l1d.unified_bytes != 0 {
            let value = self.l1d.unified_bytes.into();
            return Err(("l1d.unified_bytes", value, "0 where shared_memory.split is not fixed"));
        }
        Ok(())
    }
}
