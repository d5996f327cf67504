//! The floating-point adders of the shared-memory cache alone, against what the golden machine adds: random numbers,
//! pairs whose sums round, cancel or leave the normal numbers, and all pairs of special ones.

use std::path::Path;

use heddle_isa::{AtomicOp, Type, atomic};
use heddle_portbench::shared_cache::Rng;
use heddle_rtl::{Block, Manifest};
use verilated_runtime::{Instance, Options};

/// Random pairs of each format.
const PAIRS: usize = 40_000;

/// A format: what the golden machine calls it, the RTL's number, bits of exponent and fraction.
struct Format {
    ty: Type,
    number: u32,
    exponent: u32,
    fraction: u32,
}

const FORMATS: [Format; 4] = [
    Format { ty: Type::F64, number: 0, exponent: 11, fraction: 52 },
    Format { ty: Type::F32, number: 1, exponent: 8, fraction: 23 },
    Format { ty: Type::F16x2, number: 2, exponent: 5, fraction: 10 },
    Format { ty: Type::Bf16x2, number: 3, exponent: 8, fraction: 7 },
];

impl Format {
    fn bits(&self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// Both zeros, infinities, NaNs with a low and a high payload, the least and greatest subnormal and normal numbers,
    /// one and its neighbours, and the number half an ulp below one.
    fn specials(&self) -> Vec<u64> {
        let at = |exponent: u64, fraction: u64| exponent << self.fraction | fraction;
        let (most, full) = ((1 << self.exponent) - 1, (1 << self.fraction) - 1);
        let (one, ulp) = (most / 2, u64::from(self.fraction) + 1);
        let magnitudes = [
            at(0, 0),
            at(most, 0),
            at(most, 1),
            at(most, full),
            at(most, 1 << (self.fraction - 1)),
            at(0, 1),
            at(0, full),
            at(1, 0),
            at(1, 1),
            at(most - 1, full),
            at(most - 1, 0),
            at(one, 0),
            at(one, 1),
            at(one - 1, full),
            at(one.saturating_sub(ulp), 0),
            at(one.saturating_sub(ulp), 1),
        ];
        magnitudes.iter().flat_map(|&m| [m, m | 1 << (self.exponent + self.fraction)]).collect()
    }

    /// A number; the exponent of the second of a pair is mostly near that of the first.
    fn draw(&self, rng: &mut Rng, near: Option<u64>) -> u64 {
        let specials = self.specials();
        if rng.percent(5) {
            return specials[rng.below(specials.len())];
        }
        let number = rng.draw() & (u64::MAX >> (64 - self.bits()));
        let Some(near) = near.filter(|_| rng.percent(80)) else { return number };
        let mask = (1 << self.exponent) - 1;
        let distance = rng.below(self.fraction as usize + 4) as u64;
        let exponent = (near >> self.fraction & mask).saturating_sub(distance);
        let fraction = match rng.below(4) {
            0 => 0,
            // All but some of the last bits are those of the first: they cancel.
            1 => near ^ rng.below(16) as u64,
            _ => number,
        };
        number & !(mask << self.fraction | ((1 << self.fraction) - 1))
            | exponent << self.fraction
            | fraction & ((1 << self.fraction) - 1)
    }
}

fn instance() -> Instance {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let manifest = Manifest::load(root, "osm").expect("the manifest");
    let block = Block::new(root, &manifest, "float_unit", "testbench/osm/float_unit_shim.cpp");
    let library = block.expect("the block").build().expect("it builds");
    library.instance(&Options { seed: 3, ..Options::default() }).expect("an instance")
}

/// The pairs of a format, two of them side by side where it is packed.
fn pairs(format: &Format, rng: &mut Rng) -> Vec<(u64, u64)> {
    let specials = format.specials();
    let mut pairs: Vec<(u64, u64)> =
        specials.iter().flat_map(|&a| specials.iter().map(move |&b| (a, b))).collect();
    for _ in 0..PAIRS {
        let a = format.draw(rng, None);
        pairs.push((a, format.draw(rng, Some(a))));
    }
    if format.bits() == 16 {
        let reversed: Vec<_> = pairs.iter().rev().copied().collect();
        for ((a, b), (c, d)) in pairs.iter_mut().zip(reversed) {
            *a |= c << 16;
            *b |= d << 16;
        }
    }
    pairs
}

#[test]
fn sums_are_those_of_the_golden_machine() {
    let mut rtl = instance();
    let mut rng = Rng::new(9);
    for format in &FORMATS {
        let pairs = pairs(format, &mut rng);
        // A pair enters in each cycle; operands are taken, and four stages follow.
        for cycle in 0..pairs.len() + 4 {
            let (old, operand) = pairs.get(cycle).copied().unwrap_or_default();
            let words = |x: u64| [x as u32, (x >> 32) as u32];
            let [a, b] = [words(old), words(operand)];
            let input = [1, a[0], a[1], b[0], b[1], 15 << (4 * format.number), format.number];
            let mut output = [0; 2];
            rtl.cycle(&input, &[], &mut output, &mut []).expect("no assertion");
            let Some(&(old, operand)) = cycle.checked_sub(4).and_then(|at| pairs.get(at)) else { continue };
            let expected = atomic(AtomicOp::Add, format.ty, old, operand, 0);
            let actual = u64::from(output[0]) | u64::from(output[1]) << 32;
            assert_eq!(actual, expected, "{:?}: {old:#x} + {operand:#x}", format.ty);
        }
    }
}
