//! LTRF+ moves what LTRF moves, but for the dead, and with dirty bits it writes back what LTRF+ does, but for the
//! clean: the same random traffic through both of a pair.

use super::Cached;
use super::tests::CONFIG;
use crate::testing::{self, issues};
use heddle_port::{CommandOp, Issue, RegIn};

type Bench = testing::Bench<Cached>;

/// The warp. Its registers 0 to 15 lie in the main banks of the same numbers, which tells them apart.
const WARP: u8 = 3;
/// Cycles after which nothing is under way.
const SETTLED: u32 = 60;

/// Numbers without end (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % end
    }

    /// One of the registers of a set.
    fn member(&mut self, set: u16) -> Option<u8> {
        let place = self.below(u64::from(set.count_ones().max(1))) as usize;
        (0..16).filter(|r| set >> r & 1 != 0).nth(place)
    }
}

/// What the second model of a pair has that the first has not.
#[derive(Clone, Copy, PartialEq)]
enum Extension {
    /// LTRF+ beside LTRF.
    Liveness,
    /// LTRF+ with dirty bits beside LTRF+.
    DirtyBits,
}

/// Two models under the same traffic.
struct Pair {
    extension: Extension,
    models: [Bench; 2],
    /// Registers that live: written, and not read for the last time.
    live: u16,
    /// Registers in the cache that were written there.
    dirty: u16,
    /// Working set in the cache.
    set: u16,
    /// Registers moved by each.
    moved: [u32; 2],
}

impl Pair {
    fn new(extension: Extension) -> Self {
        let made = |liveness, dirty_bits| {
            let ltrf = testing::instance("ltrf", testing::WIDTHS);
            Bench::of(ltrf.with("liveness", liveness).with("dirty_bits", dirty_bits), &CONFIG)
        };
        let models = match extension {
            Extension::Liveness => [made(0, 0), made(1, 0)],
            Extension::DirtyBits => [made(1, 0), made(1, 1)],
        };
        Self { extension, models, live: 0, dirty: 0, set: 0, moved: [0; 2] }
    }

    /// Carries out a command and compares what both move for it.
    fn command(&mut self, op: CommandOp) {
        let [first, second] = self.models.each_mut().map(|model| moved(model, op, self.set));
        let [fetched, written] = first;
        let expected = match self.extension {
            Extension::Liveness => [fetched & self.live, written & self.live],
            Extension::DirtyBits => [fetched, written & self.dirty],
        };
        assert_eq!(second, expected, "fetched and written back at {op:?} of {:#x}", self.set);
        for (sum, registers) in self.moved.iter_mut().zip([first, second]) {
            *sum += registers.map(u16::count_ones).iter().sum::<u32>();
        }
        self.dirty &= if op == CommandOp::Deactivate { 0 } else { self.set };
    }

    fn write(&mut self, register: u8) {
        let mut issue = Issue { destination_valid: 1, ..testing::issue(5, WARP, &[]) };
        issue.destination[0] = register;
        self.step(&issues(issue));
        let mut input = testing::ready();
        input.result[0] = testing::result(WARP, register);
        self.step(&input);
        self.live |= 1 << register;
        self.dirty |= 1 << register;
    }

    fn read(&mut self, register: u8, last: bool) {
        self.step(&issues(Issue { dead: last.into(), ..testing::issue(5, WARP, &[register]) }));
        self.live &= !(u16::from(last) << register);
    }

    fn step(&mut self, input: &RegIn) {
        for model in &mut self.models {
            model.step(input);
            model.idle(SETTLED);
        }
    }
}

/// The registers that a command fetches and those that it writes back.
fn moved(bench: &mut Bench, op: CommandOp, set: u16) -> [u16; 2] {
    let events = ["main_bank_read", "main_bank_write"];
    let sums = |bench: &Bench, event| -> [u32; 16] {
        std::array::from_fn(|bank| bench.sum_bits(event, bank..bank + 1))
    };
    let before = events.map(|event| sums(bench, event));
    bench.command(op, WARP, 0, set.into());
    bench.idle(SETTLED);
    let after = events.map(|event| sums(bench, event));
    std::array::from_fn(|event| {
        let grew = |bank: &usize| after[event][*bank] > before[event][*bank];
        (0..16).filter(grew).map(|bank| 1 << bank).sum()
    })
}

/// Registers that the two models of the pair move under random traffic.
fn random_traffic(extension: Extension) -> [u32; 2] {
    let mut moved = [0; 2];
    for seed in 1..=30 {
        let (mut random, mut pair) = (Random(seed << 32 | 0x9e37_79b9), Pair::new(extension));
        pair.command(CommandOp::Activate);
        for _ in 0..80 {
            match random.below(7) {
                0 => {
                    pair.set = random.below(1 << 16) as u16;
                    pair.command(CommandOp::Prefetch);
                }
                1 => {
                    pair.command(CommandOp::Deactivate);
                    pair.command(CommandOp::Activate);
                }
                2..=4 => {
                    if let Some(register) = random.member(pair.set) {
                        pair.write(register);
                    }
                }
                _ => {
                    if let Some(register) = random.member(pair.set & pair.live) {
                        pair.read(register, random.below(2) == 0);
                    }
                }
            }
        }
        moved = std::array::from_fn(|design| moved[design] + pair.moved[design]);
    }
    moved
}

/// A step further than a subset: no living register is left out.
#[test]
fn ltrf_plus_moves_what_lives_of_what_ltrf_moves() {
    let [plain, plus] = random_traffic(Extension::Liveness);
    assert!(plus > 1000 && plain > plus, "LTRF moves {plain} registers, LTRF+ {plus}");
}

/// And no dirty one.
#[test]
fn dirty_bits_write_back_what_is_dirty_of_what_ltrf_plus_writes_back() {
    let [plus, dirty] = random_traffic(Extension::DirtyBits);
    assert!(dirty > 1000 && plus > dirty, "LTRF+ moves {plus} registers, with dirty bits {dirty}");
}
