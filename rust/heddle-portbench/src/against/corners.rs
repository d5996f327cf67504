//! Configurations under which two RTLs are held against each other.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use heddle_port::bits::put_bits;
use heddle_port::{NUM_DESTINATIONS, NUM_REGS, PortConfig, PortStruct};

use heddle_rtl::{Manifest, Parameter};

use super::in_manifest;
use crate::Rng;

/// A configuration of the port, and how many registers threads have at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corner {
    /// Configuration inputs.
    pub port: PortConfig,
    /// Most registers of a thread.
    pub registers: usize,
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, up to {} registers", self.port, self.registers)
    }
}

/// Bits of a drawn number above its least value, at most.
const DRAWN_BITS: usize = 4;

/// A word of the configuration that has a meaning for the design alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Its value unless a run says otherwise.
    pub usual: u32,
    /// The least and the greatest value.
    pub extremes: [u32; 2],
}

impl Word {
    /// Those that a manifest names, in their order.
    #[must_use]
    pub fn all(manifest: &Manifest) -> Vec<Self> {
        // The RTL's word has the same bits.
        let word = |parameter: &Parameter| Self {
            usual: parameter.default as u32,
            extremes: parameter.extremes().map(|value| value as u32),
        };
        manifest.configuration().map(word).collect()
    }
}

/// Where a number of the configuration lies.
enum Place {
    /// In the packed struct.
    Field { at: usize, width: usize },
    /// A word of the design.
    Own(usize),
}

/// A number of the configuration, with values that are tried to find its least and greatest.
struct Number {
    place: Place,
    values: RangeInclusive<u32>,
}

/// The least and the greatest value of a number that a design takes, the others as they usually are.
type Extremes = [u32; 2];

impl Number {
    /// All of them that are a design's to choose: one whose name an elaborated parameter has is settled.
    fn all(parameters: &BTreeMap<String, i64>, words: &[Word]) -> Vec<Self> {
        let settled: Vec<String> = parameters.keys().map(|name| in_manifest(name)).collect();
        let mut at = PortConfig::BITS;
        let mut numbers = Vec::new();
        for field in PortConfig::FIELDS {
            at -= (field.elements * field.width) as usize;
            if field.elements == 1 && !settled.iter().any(|name| name == field.name) {
                // Nothing takes no time, so a number of cycles is 1 at least.
                let least = u32::from(field.name.ends_with("_cycles"));
                let (width, greatest) = (field.width as usize, u32::MAX >> (32 - field.width));
                numbers.push(Self { place: Place::Field { at, width }, values: least..=greatest });
            }
        }
        numbers.extend(words.iter().enumerate().map(|(number, word)| {
            let [least, greatest] = word.extremes;
            Self { place: Place::Own(number), values: least..=greatest }
        }));
        numbers
    }

    /// `port` with another value.
    fn set(&self, port: &PortConfig, value: u32) -> PortConfig {
        match self.place {
            Place::Own(number) => {
                let mut port = *port;
                port.own[number] = value;
                port
            }
            Place::Field { at, width } => {
                let mut words = vec![0; PortConfig::BITS.div_ceil(32)];
                port.put(&mut words, 0);
                put_bits(&mut words, at, width, value);
                PortConfig::get(&words, 0)
            }
        }
    }

    fn extremes(&self, plain: &PortConfig, takes: &mut dyn FnMut(&PortConfig) -> bool) -> Option<Extremes> {
        let mut taken = self.values.clone().filter(|&value| takes(&self.set(plain, value)));
        let first = taken.next()?;
        Some([first, taken.last().unwrap_or(first)])
    }
}

/// Corners for an elaboration with these parameters and words of the design's own: every number of the configuration alone at the least and the
/// greatest value for which `takes` says that the design takes it, threads of few registers, a part of the rows, the
/// least of everything at once; then `drawn` in which everything is drawn, from its least value on. The design
/// takes them all.
#[must_use]
pub fn corners(
    parameters: &BTreeMap<String, i64>,
    (active_warps, words): (Option<u8>, &[Word]),
    (seed, drawn): (u64, usize),
    takes: &mut dyn FnMut(&PortConfig) -> bool,
) -> Vec<Corner> {
    let parameter = |name: &str, default: u16| -> u16 {
        parameters.get(name).and_then(|&value| u16::try_from(value).ok()).unwrap_or(default)
    };
    let sets = parameter("Sets", 1).max(1);
    let mut own = [0; heddle_port::DESIGN_WORDS];
    for (place, word) in own.iter_mut().zip(words) {
        *place = word.usual;
    }
    let plain = Corner {
        port: PortConfig {
            bank_cycles: 1,
            crossbar_cycles: 4,
            active_warps: active_warps.unwrap_or(8),
            registers_per_interval: 16,
            rows_per_bank: parameter("RowsPerBank", 128),
            write_cycles: 1,
            shift_cycles: 1,
            preshift: false,
            wakeup_cycles: 1,
            ways: parameter("Ways", 4).min(255) as u8,
            fair: false,
            cache_size_log2: 3 + sets.ilog2() as u8,
            reads_to_unlock: 1,
            hit_latency: 28,
            own,
        },
        registers: NUM_REGS,
    };
    let numbers: Vec<(Number, Extremes)> = Number::all(parameters, words)
        .into_iter()
        .filter_map(|number| {
            let extremes = number.extremes(&plain.port, takes)?;
            Some((number, extremes))
        })
        .collect();
    let few = NUM_DESTINATIONS;
    let part = plain.port.rows_per_bank / 4 * 3 + 1;
    let mut all = vec![plain, Corner { registers: few, ..plain }];
    all.push(Corner { port: PortConfig { rows_per_bank: part, ..plain.port }, ..plain });
    let mut least = Corner { registers: few, ..plain };
    for (number, extremes) in &numbers {
        all.extend(extremes.map(|value| Corner { port: number.set(&plain.port, value), ..plain }));
        least.port = number.set(&least.port, extremes[0]);
    }
    all.push(least);
    let mut rng = Rng::new(seed);
    all.extend((0..drawn).map(|_| {
        let mut corner = draw(&mut rng, plain, &numbers);
        if rng.below(4) == 0 {
            corner.port.rows_per_bank = part;
        }
        corner
    }));
    let mut corners: Vec<Corner> = Vec::new();
    for corner in all {
        if !corners.contains(&corner) && takes(&corner.port) {
            corners.push(corner);
        }
    }
    corners
}

/// Small values are likelier than large ones, and the least is the likeliest.
fn draw(rng: &mut Rng, plain: Corner, numbers: &[(Number, Extremes)]) -> Corner {
    let mut corner = plain;
    for (number, [least, greatest]) in numbers {
        let bits = rng.below(DRAWN_BITS + 1);
        let above = rng.below(1 << bits) as u32;
        corner.port = number.set(&corner.port, (least + above).min(*greatest));
    }
    let most = NUM_REGS >> rng.below(DRAWN_BITS + 1);
    corner.registers = most.max(NUM_DESTINATIONS);
    corner
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [Word; 2] = [Word { usual: 16, extremes: [1, 16] }, Word { usual: 0, extremes: [0, 7] }];

    fn corners_where(takes: impl Fn(&PortConfig) -> bool) -> Vec<Corner> {
        let parameters = [("RowsPerBank", 64), ("Ways", 2)].map(|(name, value)| (name.to_owned(), value));
        corners(&parameters.into_iter().collect(), (None, &WORDS), (1, 50), &mut |port| takes(port))
    }

    #[test]
    fn each_number_goes_to_both_ends_of_what_the_design_takes() {
        let corners =
            corners_where(|port| (4..=9).contains(&port.crossbar_cycles) && port.bank_cycles != 255);
        let of = |number: fn(&PortConfig) -> u8| {
            let values = || corners.iter().map(|corner| number(&corner.port));
            (values().min(), values().max())
        };
        assert_eq!(of(|port| port.crossbar_cycles), (Some(4), Some(9)));
        assert_eq!(of(|port| port.bank_cycles), (Some(1), Some(254)));
        assert_eq!(of(|port| port.active_warps), (Some(0), Some(255)));
        assert_eq!(of(|port| port.reads_to_unlock), (Some(0), Some(255)));
        assert_eq!(of(|port| port.fair.into()), (Some(0), Some(1)));
        assert_eq!(of(|port| port.own[0] as u8), (Some(1), Some(16)));
        assert_eq!(of(|port| port.own[1] as u8), (Some(0), Some(7)));
        assert!(corners.iter().all(|corner| corner.port.own[2..] == [0; 6]));
        assert_eq!(of(|port| port.preshift.into()), (Some(0), Some(1)));
        // An elaborated parameter has this name.
        assert_eq!(of(|port| port.ways), (Some(2), Some(2)));
        assert!(corners.iter().any(|corner| corner.registers == NUM_DESTINATIONS));
        assert!(corners.iter().any(|corner| corner.port.rows_per_bank == 49));
    }

    #[test]
    fn a_design_that_takes_nothing_has_no_corner() {
        assert_eq!(corners_where(|_| false), []);
    }
}
