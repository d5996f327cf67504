//! Random programs, a function of their seed.

use heddle_isa::{Instr, Operand, Program};
use heddle_port::Reg;

use crate::builder::{alu, bra, exit, program, reg, when};

/// A small generator of random numbers (SplitMix64).
pub struct Random(u64);

impl Random {
    /// Numbers that depend on the seed only.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        let number = self.bits() % u64::from(bound);
        u32::try_from(number).expect("below a 32-bit bound")
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// An instruction on registers below `registers`, 5 at most, sometimes guarded.
fn body(random: &mut Random, registers: u32) -> Instr {
    let any = |random: &mut Random| random.below(registers);
    let mut srcs = Vec::new();
    for _ in 0..random.below(4) {
        let r = any(random);
        srcs.push(if srcs.is_empty() && random.one_in(6) { Operand::Pair(Reg(r / 2 * 2)) } else { reg(r) });
    }
    let dsts: Vec<u32> = match random.below(8) {
        0 => vec![],
        1 => {
            let low = any(random) / 2 * 2;
            vec![low, low + 1]
        }
        _ => vec![any(random)],
    };
    let instr = alu(&dsts, &srcs);
    if random.one_in(8) { when(0, false, instr) } else { instr }
}

/// Blocks joined at random: loops with several entries, unreachable blocks and endless loops occur.
pub fn arbitrary(seed: u64, max_blocks: u32) -> Program {
    let mut random = Random::new(seed);
    let registers = 2 + random.below(20);
    let blocks = 1 + random.below(max_blocks);
    let sizes: Vec<u32> = (0..blocks).map(|_| random.below(5)).collect();
    // Every block ends with one branch or exit.
    let firsts: Vec<u32> = sizes
        .iter()
        .scan(0, |at, size| {
            let first = *at;
            *at += size + 1;
            Some(first)
        })
        .collect();
    let mut instrs = Vec::new();
    for (block, &size) in (0..blocks).zip(&sizes) {
        for _ in 0..size {
            instrs.push(body(&mut random, registers));
        }
        let last = block + 1 == blocks;
        let target = firsts[random.below(blocks) as usize];
        instrs.push(match random.below(10) {
            0 => exit(),
            1 | 2 => bra(target),
            3 if !last => when(0, false, exit()),
            4 if !last => body(&mut random, registers),
            _ if last => exit(),
            _ => when(0, false, bra(target)),
        });
    }
    program(instrs)
}

/// Nested ifs, if-elses and loops, as compilers make them.
pub fn structured(seed: u64, statements: u32) -> Program {
    let mut random = Random::new(seed);
    let registers = 2 + random.below(20);
    let mut instrs = Vec::new();
    sequence(&mut random, registers, statements, 3, &mut instrs);
    instrs.push(exit());
    program(instrs)
}

fn here(instrs: &[Instr]) -> u32 {
    u32::try_from(instrs.len()).expect("small program")
}

fn sequence(random: &mut Random, registers: u32, statements: u32, depth: u32, instrs: &mut Vec<Instr>) {
    for _ in 0..1 + random.below(statements) {
        let kind = if depth == 0 { 0 } else { random.below(8) };
        let inner = |random: &mut Random, instrs: &mut Vec<Instr>| {
            sequence(random, registers, statements, depth - 1, instrs);
        };
        match kind {
            1 => {
                let branch = instrs.len();
                instrs.push(exit());
                inner(random, instrs);
                instrs[branch] = when(0, false, bra(here(instrs)));
            }
            2 => {
                let branch = instrs.len();
                instrs.push(exit());
                inner(random, instrs);
                let skip = instrs.len();
                instrs.push(exit());
                instrs[branch] = when(0, false, bra(here(instrs)));
                inner(random, instrs);
                instrs[skip] = bra(here(instrs));
            }
            3 => {
                let head = here(instrs);
                inner(random, instrs);
                instrs.push(when(0, false, bra(head)));
            }
            4 => {
                let head = here(instrs);
                instrs.push(body(random, registers));
                let branch = instrs.len();
                instrs.push(exit());
                inner(random, instrs);
                instrs.push(bra(head));
                instrs[branch] = when(0, true, bra(here(instrs)));
            }
            5 if random.one_in(4) => instrs.push(when(0, false, exit())),
            _ => instrs.push(body(random, registers)),
        }
    }
}
