//! What some of a GPU's SMs have of its L2 and DRAM.

use heddle_config::Preset;
use heddle_port::LINE_BYTES;

/// `sms` of a preset's `gpu.sms` SMs, with as large a part of L2 and DRAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    sms: u32,
    of: u32,
}

/// Units of one kind: whole ones, and how many units of the preset they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Whole units, one at least.
    pub units: u32,
    /// Numerator and denominator of the bandwidth of such a unit by that of one of the preset.
    pub bandwidth: (u64, u64),
}

impl Part {
    /// The same, with units that are at least as fast as those of the preset.
    #[must_use]
    pub fn not_slower(self) -> Self {
        let (rate, unit) = self.bandwidth;
        Self { bandwidth: (rate.max(unit), unit), ..self }
    }

    /// Bandwidth of a unit by that of one of the preset.
    #[must_use]
    pub fn scale(self) -> f64 {
        self.bandwidth.0 as f64 / self.bandwidth.1 as f64
    }
}

impl Share {
    /// The part of `sms` SMs, 1 to as many as `preset` has.
    #[must_use]
    pub fn new(preset: &Preset, sms: u32) -> Self {
        let of = preset.gpu.sms.max(1);
        Self { sms: sms.clamp(1, of), of }
    }

    /// SMs.
    #[must_use]
    pub fn sms(self) -> u32 {
        self.sms
    }

    /// The part of `bytes`.
    #[must_use]
    pub fn bytes(self, bytes: u32) -> u32 {
        (u64::from(bytes) * u64::from(self.sms) / u64::from(self.of)) as u32
    }

    /// Sets of a slice of L2, one at least.
    #[must_use]
    pub(crate) fn sets(self, preset: &Preset) -> u32 {
        let l2 = &preset.l2;
        (self.bytes(l2.bytes) / self.slices(preset).units / (l2.ways.max(1) * LINE_BYTES as u32)).max(1)
    }

    /// Bytes of L2: whole sets of all slices.
    #[must_use]
    pub fn l2_bytes(self, preset: &Preset) -> u32 {
        self.sets(preset) * preset.l2.ways.max(1) * LINE_BYTES as u32 * self.slices(preset).units
    }

    /// The slices of L2. A slice that stands for less than one keeps its width: what it has less of is lines.
    #[must_use]
    pub fn slices(self, preset: &Preset) -> Part {
        self.part(preset.l2.slices).not_slower()
    }

    /// The channels of DRAM.
    #[must_use]
    pub fn channels(self, preset: &Preset) -> Part {
        self.part(preset.dram.channels)
    }

    /// The part of `count` units.
    fn part(self, count: u32) -> Part {
        let wanted = u64::from(count) * u64::from(self.sms);
        let units = (wanted / u64::from(self.of)).clamp(1, u64::from(u16::MAX));
        Part { units: units as u32, bandwidth: (wanted, units * u64::from(self.of)) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Share};
    use crate::testing::preset;

    #[test]
    fn a_part_that_is_not_whole_has_slower_or_faster_units() {
        let mut preset = preset();
        preset.gpu.sms = 24;
        let part = |sms, units| Share::new(&preset, sms).part(units);
        assert_eq!(part(24, 8), Part { units: 8, bandwidth: (192, 192) });
        assert_eq!(part(1, 8), Part { units: 1, bandwidth: (8, 24) });
        assert_eq!(part(5, 8), Part { units: 1, bandwidth: (40, 24) });
        assert_eq!(part(1, 8).not_slower().scale(), 1.0);
        assert_eq!(part(5, 8).not_slower(), part(5, 8));
        assert_eq!(Share::new(&preset, 6).bytes(2 << 20), 512 << 10);
        assert_eq!(Share::new(&preset, 99).sms(), 24, "no more than there are");
    }
}
