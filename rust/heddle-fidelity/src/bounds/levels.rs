//! Cycles of loads by level, as the keys of a preset add up.

use heddle_config::Preset;

/// Cycles of a load from its issue to the port of the first level, and from its answer to the issue of the next load, on
/// `baseline`.
const AROUND: u32 = 6;
/// Bytes of the header of a packet, and of a line.
const HEADER: u32 = 8;
const LINE: u32 = 128;

/// What the hops and the peaks of a preset with one SM are; lines move whole.
pub struct Levels<'a> {
    preset: &'a Preset,
}

impl<'a> Levels<'a> {
    pub fn new(preset: &'a Preset) -> Self {
        Self { preset }
    }

    fn hit(latency: u32) -> (String, f64) {
        let hops = [AROUND, 1, latency];
        (text("around, look-up, data", &hops), f64::from(hops.iter().sum::<u32>()))
    }

    pub fn shared(&self) -> (String, f64) {
        Self::hit(self.preset.shared_memory.latency)
    }

    pub fn l1(&self) -> (String, f64) {
        Self::hit(self.preset.l1d.hit_latency)
    }

    /// Bytes of a line that a miss moves from a level.
    fn moved(sector_bytes: u32) -> u32 {
        sector_bytes.min(LINE)
    }

    /// Flits of the reply that brings what one lane asks for.
    fn flits(&self) -> u32 {
        (HEADER + Self::moved(self.preset.l1d.sector_bytes)).div_ceil(self.preset.interconnect.flit_bytes)
    }

    fn to_l2(&self) -> [u32; 6] {
        let net = &self.preset.interconnect;
        [AROUND, 3, net.request_delay, self.preset.l2.latency, self.flits() - 1, net.reply_delay]
    }

    pub fn l2(&self) -> (String, f64) {
        let hops = self.to_l2();
        let names = "around, first level, request, L2, other flits, reply";
        (text(names, &hops), f64::from(hops.iter().sum::<u32>()))
    }

    /// Core cycles of the bus of DRAM for some bytes: one SM has its part of all channels.
    fn bus(&self, bytes: u32) -> f64 {
        let (dram, gpu) = (&self.preset.dram, &self.preset.gpu);
        let moved = f64::from(dram.bytes_per_clock) * f64::from(dram.clock_mhz) * f64::from(dram.channels);
        f64::from(bytes) * f64::from(gpu.core_mhz) * f64::from(gpu.sms) / moved
    }

    /// Beside a row that is open.
    pub fn dram(&self) -> (String, f64) {
        let dram = &self.preset.dram;
        let core = |timing| dram.core_cycles(timing, self.preset.gpu.core_mhz) as u32;
        let bus = self.bus(Self::moved(self.preset.l2.sector_bytes)).ceil() as u32;
        let mut hops = self.to_l2().to_vec();
        hops.extend([1, core(dram.rp), core(dram.rcd), core(dram.cl), bus, dram.latency]);
        let names = "around, first level, request, L2, other flits, reply, queue, RP, RCD, CL, bus, DRAM";
        (text(names, &hops), f64::from(hops.iter().sum::<u32>()))
    }

    /// A slice reads lines, and the network brings them to the SM: the slower of the two.
    pub fn l2_peak(&self) -> (String, f64) {
        let slice = f64::from(LINE) / f64::from(self.preset.l2.slice_bytes);
        let net = &self.preset.interconnect;
        let flits = (HEADER + LINE).div_ceil(net.flit_bytes);
        let what = format!("peak of a line in {slice} cycles of a slice and in {flits} flits");
        (what, slice.max(f64::from(flits)))
    }

    pub fn dram_peak(&self) -> (String, f64) {
        let bus = self.bus(LINE);
        (format!("peak of a line in {bus:.2} cycles of the bus"), bus)
    }
}

fn text(names: &str, hops: &[u32]) -> String {
    let hops: Vec<String> = hops.iter().map(u32::to_string).collect();
    format!("{} ({names})", hops.join(" + "))
}
