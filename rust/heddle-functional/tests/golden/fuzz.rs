//! Random structured kernels: the golden machine on warps against each thread on its own, evaluated
//! from the structure and not from the instructions.

use heddle_isa::{Alu, Cmp, Operand, Space};

use crate::common::{Builder, CTA, TID, imm, own_word, r, run};

/// Registers of the statements, all initialised at entry.
const FIRST: u32 = 1;
const REGISTERS: u32 = 6;
/// Loop counters by depth.
const COUNTER: u32 = 8;
const DEPTH: u32 = 4;

/// Deterministic random numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as u32 % n
    }

    fn register(&mut self) -> u32 {
        FIRST + self.below(REGISTERS)
    }
}

/// `register < bound`, or its contrary.
#[derive(Clone, Copy)]
struct Condition {
    register: u32,
    bound: u32,
    negated: bool,
}

enum Statement {
    Compute {
        op: Alu,
        dst: u32,
        a: u32,
        b: u32,
        guard: Option<Condition>,
    },
    If {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// Runs once, and again as often as the low bits of a register say.
    Repeat {
        times: u32,
        body: Vec<Statement>,
    },
    Exit {
        condition: Condition,
    },
    /// Adds to the thread's word of memory.
    Accumulate {
        register: u32,
    },
}

fn condition(random: &mut Random) -> Condition {
    Condition { register: random.register(), bound: 1 << random.below(32), negated: random.below(2) == 0 }
}

fn statements(random: &mut Random, depth: u32) -> Vec<Statement> {
    (0..1 + random.below(4))
        .map(|_| match random.below(if depth < DEPTH { 10 } else { 6 }) {
            0..=3 => Statement::Compute {
                op: [Alu::Add, Alu::Sub, Alu::Mul, Alu::Xor, Alu::And, Alu::Shl][random.below(6) as usize],
                dst: random.register(),
                a: random.register(),
                b: random.register(),
                guard: (random.below(3) == 0).then(|| condition(random)),
            },
            4 if random.below(4) == 0 => Statement::Exit { condition: condition(random) },
            4 | 5 => Statement::Accumulate { register: random.register() },
            6 | 7 => Statement::If {
                condition: condition(random),
                then: statements(random, depth + 1),
                otherwise: if random.below(2) == 0 { vec![] } else { statements(random, depth + 1) },
            },
            _ => Statement::Repeat { times: random.register(), body: statements(random, depth + 1) },
        })
        .collect()
}

/// Sets predicate 0 to `register < bound`.
fn test(b: &mut Builder, c: Condition) {
    b.setp(Cmp::Lt, 0, r(c.register), imm(c.bound.into()));
}

fn emit(b: &mut Builder, code: &[Statement], depth: u32) {
    for statement in code {
        match statement {
            Statement::Compute { op, dst, a, b: second, guard } => {
                if let Some(c) = guard {
                    test(b, *c);
                }
                b.alu(*op, *dst, &[r(*a), r(*second)]);
                if let Some(c) = guard {
                    b.when(0, c.negated);
                }
            }
            Statement::Exit { condition } => {
                test(b, *condition);
                b.exit().when(0, condition.negated);
            }
            Statement::Accumulate { register } => {
                b.ld(Space::Global, 7, r(0)).alu(Alu::Add, 7, &[r(7), r(*register)]).st(
                    Space::Global,
                    r(0),
                    r(7),
                );
            }
            Statement::If { condition, then, otherwise } => {
                test(b, *condition);
                let branch = b.len();
                b.bra(0, None).when(0, !condition.negated);
                emit(b, then, depth + 1);
                if otherwise.is_empty() {
                    let join = b.len();
                    b.patch(branch, join, join);
                } else {
                    let skip = b.len();
                    b.bra(0, None);
                    let start = b.len();
                    emit(b, otherwise, depth + 1);
                    let join = b.len();
                    b.patch(branch, start, join);
                    b.patch(skip, join, join);
                }
            }
            Statement::Repeat { times, body } => {
                let counter = COUNTER + depth;
                b.alu(Alu::And, counter, &[r(*times), imm(3)]);
                let head = b.len();
                emit(b, body, depth + 1);
                b.alu(Alu::Sub, counter, &[r(counter), imm(1)]);
                b.setp(Cmp::Lt, 1, r(counter), imm(3));
                let branch = b.len();
                b.bra(0, None).when(1, false);
                b.patch(branch, head, branch + 1);
            }
        }
    }
}

/// One thread on its own.
struct Thread {
    registers: [u32; 16],
    word: u32,
}

impl Thread {
    fn holds(&self, c: Condition) -> bool {
        (self.registers[c.register as usize] < c.bound) != c.negated
    }

    /// Whether the thread goes on after the statements.
    fn run(&mut self, code: &[Statement]) -> bool {
        code.iter().all(|statement| self.step(statement))
    }

    fn step(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Compute { op, dst, a, b, guard } => {
                let (a, b) = (self.registers[*a as usize], self.registers[*b as usize]);
                if guard.is_none_or(|c| self.holds(c)) {
                    self.registers[*dst as usize] = match op {
                        Alu::Add => a.wrapping_add(b),
                        Alu::Sub => a.wrapping_sub(b),
                        Alu::Mul => a.wrapping_mul(b),
                        Alu::Xor => a ^ b,
                        Alu::And => a & b,
                        _ => a.checked_shl(b).unwrap_or(0),
                    };
                }
                true
            }
            Statement::Exit { condition } => !self.holds(*condition),
            Statement::Accumulate { register } => {
                self.word = self.word.wrapping_add(self.registers[*register as usize]);
                true
            }
            Statement::If { condition, then, otherwise } => {
                self.run(if self.holds(*condition) { then } else { otherwise })
            }
            Statement::Repeat { times, body } => {
                let times = self.registers[*times as usize] & 3;
                (0..=times).all(|_| self.run(body))
            }
        }
    }
}

#[test]
fn warps_do_what_their_threads_do() {
    const THREADS: u32 = 48;
    let mut random = Random::new(0x1234_5678_9abc_def1);
    let mut instructions = 0;
    for number in 0..300 {
        let code = statements(&mut random, 0);
        let seeds: Vec<u32> = (0..REGISTERS).map(|_| random.below(1 << 30) | 1).collect();
        let mut b = Builder::default();
        own_word(&mut b, THREADS);
        for (i, seed) in (0u32..).zip(&seeds) {
            let source: Operand = if i % 2 == 0 { TID } else { CTA };
            b.alu(Alu::Add, FIRST + i, &[source, imm(3)]);
            b.alu(Alu::Mul, FIRST + i, &[r(FIRST + i), imm((*seed).into())]);
        }
        emit(&mut b, &code, 0);
        b.st(Space::Global, r(0), r(FIRST)).exit();
        instructions += b.len();
        let out = run(&b, 2, THREADS, 2 * THREADS).unwrap_or_else(|e| panic!("program {number}: {e}"));
        for (i, &actual) in (0u32..).zip(&out) {
            let mut thread = Thread { registers: [0; 16], word: 0 };
            for (k, seed) in seeds.iter().enumerate() {
                let source = if k % 2 == 0 { i % THREADS } else { i / THREADS };
                thread.registers[FIRST as usize + k] = (source + 3).wrapping_mul(*seed);
            }
            let expected = if thread.run(&code) { thread.registers[FIRST as usize] } else { thread.word };
            assert_eq!(actual, expected, "program {number}, thread {i}");
        }
    }
    assert!(instructions > 5_000, "{instructions} instructions");
}
