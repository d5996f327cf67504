//! CERF's tag bank alone, with its state machine and LRU order, against the model: a million random
//! operations for each policy and associativity.

use std::path::Path;

use heddle_designs::cerf::entry::{Op, State};
use heddle_designs::cerf::register_line;
use heddle_designs::cerf::tags::{Away, Lookup, TagBank};
use heddle_rtl::{Block, Manifest};
use verilated_runtime::{Instance, Options};

const OPERATIONS: u32 = 1_000_000;
/// Sets that the operations are about; few, so that entries are full and give way.
const SETS: u32 = 8;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn instance(ways: usize, seed: u64) -> Instance {
    let manifest = Manifest::load(root(), "cerf").expect("the manifest");
    let block = Block::new(root(), &manifest, "tag_bank", "testbench/cerf/tag_bank_shim.cpp");
    let block = block.expect("the block").parameter("Ways", ways as i64);
    let library = block.build().expect("it builds");
    library.instance(&Options { seed, ..Options::default() }).expect("an instance")
}

/// The number of an operation in the RTL, its dead bit and whether it writes all lanes.
fn code(op: Op) -> [u32; 3] {
    match op {
        Op::ReadReg { dead } => [1, u32::from(dead), 0],
        Op::WriteReg { full } => [2, 0, u32::from(full)],
        Op::Fill => [3, 0, 0],
        Op::Load => [4, 0, 0],
        Op::Store => [5, 0, 0],
        Op::Bypass => [6, 0, 0],
        Op::Flush => [7, 0, 0],
        Op::Refill => [8, 0, 0],
    }
}

/// Group of 16 registers of the bank, and which of them are freed.
type Ended = (u8, u16);

const NOBODY: Ended = (0, 0);

/// One cycle; what the look-up shows after it, when nothing has been committed what it showed in it. With `frees`
/// the group's registers are freed.
fn cycle(
    rtl: &mut Instance,
    (op, line): (Option<Op>, u32),
    (group, rows): Ended,
    fair: bool,
    commit: bool,
    frees: bool,
) -> [u32; 12] {
    let [op, dead, full] = op.map_or([0; 3], code);
    let mut output = [0; 12];
    let [fair, commit, frees] = [fair, commit, frees].map(u32::from);
    let input = [1, op, line, dead, full, fair, commit, frees, group.into(), rows.into()];
    rtl.cycle(&input, &[], &mut output, &mut []).expect("no assertion");
    output
}

struct Words(u64);

impl Words {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 33) * u64::from(n)) >> 31) as u32
    }
}

/// An operation and its line: of a register of the sets, or of a line that shares one with them.
fn draw(words: &mut Words, ways: u32, fair: bool) -> (Op, u32) {
    let sets = 256 / ways;
    let set = words.below(SETS);
    if words.below(2) == 0 {
        let register = 4 * (set + sets * words.below(ways));
        let op = match words.below(10) {
            0..4 => Op::WriteReg { full: true },
            4 => Op::WriteReg { full: false },
            5 => Op::ReadReg { dead: false },
            // LRU-fair does not look at dead bits.
            6 | 7 => Op::ReadReg { dead: !fair },
            _ => Op::Refill,
        };
        (op, register_line(register as u16))
    } else if words.below(16) == 0 {
        (Op::Flush, 4 * (set + sets * words.below(ways)))
    } else {
        let op = [Op::Fill, Op::Fill, Op::Fill, Op::Load, Op::Load, Op::Store, Op::Store, Op::Bypass];
        let line = 0x20_0000 + 4 * (set + sets * words.below(3 * ways));
        (op[words.below(8) as usize], line)
    }
}

/// The end of a warp: a few registers of a group in the sets.
fn draw_ended(words: &mut Words, ways: u32) -> Ended {
    let groups = 256 / ways / 16;
    let group = groups * words.below(ways);
    (group as u8, (words.below(1 << SETS) & words.below(1 << SETS)) as u16)
}

/// What the pipe around the bank never asks for: a line that is there, a register that nobody fetched.
fn never_asked(bank: &TagBank, op: Op, line: u32, hit: bool) -> bool {
    match op {
        Op::Fill => hit,
        Op::Refill => !bank.returning(line),
        _ => false,
    }
}

/// What the run must have come across to count.
#[derive(Debug, Default)]
struct Seen {
    before: [u32; 4],
    evictions: u32,
    spills: u32,
    refills: u32,
    away: u32,
    ended: u32,
}

fn run(ways: usize, fair: bool, seed: u64) {
    let mut rtl = instance(ways, seed);
    for _ in 0..2 {
        rtl.cycle(&[0; 10], &[], &mut [0; 12], &mut []).expect("reset");
    }
    let mut model = TagBank::new(ways, fair);
    let mut words = Words(seed);
    let mut seen = Seen::default();
    let mut operations = 0;
    while operations < OPERATIONS {
        let (op, line) = draw(&mut words, ways as u32, fair);
        let found = model.look_up(op, line);
        if never_asked(&model, op, line, found.hit) {
            continue;
        }
        operations += 1;
        let rtl_found = cycle(&mut rtl, (Some(op), line), NOBODY, fair, false, false);
        let Lookup { hit, placed, evict, away, before, row, holds } = found;
        let holds = if hit || evict { holds } else { rtl_found[5] };
        let expected = [
            u32::from(hit),
            u32::from(evict),
            u32::from(placed),
            before as u32,
            row.into(),
            holds,
            model.registers().into(),
            model.lines().into(),
            u32::from(away == Away::Spilled),
            u32::from(away == Away::Returning),
            0,
            0,
        ];
        assert_eq!(
            rtl_found, expected,
            "{ways} ways, fair {fair}, operation {operations}: {op:?} of {line:#x}"
        );
        if words.below(8) != 0 {
            cycle(&mut rtl, (Some(op), line), NOBODY, fair, true, false);
            model.commit(op, line, &found);
            seen.before[before as usize] += 1;
            seen.evictions += u32::from(evict && before == State::Dirty);
            seen.spills += u32::from(evict && before == State::Reg);
            seen.refills += u32::from(op == Op::Refill && !evict);
            seen.away += u32::from(away != Away::No);
        }
        if words.below(16) == 0 {
            let ended = draw_ended(&mut words, ways as u32);
            let output = cycle(&mut rtl, (None, 0), ended, fair, false, false);
            let freed = model.free(ended.0, ended.1);
            assert_eq!(output[10], u32::from(freed.is_none()), "{ways} ways, fair {fair}, {ended:?}");
            if let Some(freed) = freed {
                let output = cycle(&mut rtl, (None, 0), ended, fair, false, true);
                // The entries have changed: the counts follow, and nobody is found a second time.
                let held = [u32::from(model.registers()), u32::from(model.lines())];
                assert_eq!(output[6..8], held, "{ways} ways, fair {fair}, {ended:?}");
                seen.ended += freed.count_ones();
            }
        }
    }
    println!("{ways} ways, fair {fair}: {operations} operations, {seen:?}");
    let enough = |n: u32| n > OPERATIONS / 500;
    assert!(
        seen.before.iter().all(|&n| n > OPERATIONS / 200) && enough(seen.evictions) && enough(seen.ended),
        "{seen:?}"
    );
    if fair {
        assert!(enough(seen.spills) && enough(seen.refills) && enough(seen.away), "{seen:?}");
    } else {
        assert_eq!((seen.spills, seen.refills, seen.away), (0, 0, 0));
    }
}

#[test]
fn a_million_operations_of_two_ways() {
    run(2, false, 1);
    run(2, true, 4);
}

#[test]
fn a_million_operations_of_four_ways() {
    run(4, false, 2);
    run(4, true, 5);
}

#[test]
fn a_million_operations_of_eight_ways() {
    run(8, false, 3);
    run(8, true, 6);
}
