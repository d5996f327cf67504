//! A warp with a reconvergence stack whose branches go by chance, with poison in place of values.

use heddle_isa::{Op, Pc, Program, SimtStack};
use heddle_port::LaneMask;

use crate::random::Random;

/// What a run did.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    /// Warp instructions executed.
    pub steps: u64,
    /// Lane reads of registers that were compared with the poison.
    pub reads: u64,
    /// Registers poisoned by a dead bit.
    pub deaths: u64,
    /// Instructions executed while other lanes waited.
    pub divergent: u64,
}

/// A lane read a register that had been declared dead.
#[derive(Debug, thiserror::Error)]
#[error("pc {pc} reads the dead R{register} in lanes {lanes:#010x}")]
pub struct ReadOfDead {
    /// Reading instruction.
    pub pc: usize,
    /// Register.
    pub register: usize,
    /// Lanes that read the dead value.
    pub lanes: u32,
}

/// Which lanes of each register hold a value that was declared dead.
struct Poison([u32; 256]);

impl Poison {
    /// Executes one instruction: reads are compared, a dead bit poisons all 32 lanes of its register,
    /// a write heals the lanes that execute.
    fn execute(
        &mut self,
        (program, dead): (&Program, &[u8]),
        pc: Pc,
        executing: u32,
        tally: &mut Tally,
    ) -> Result<(), ReadOfDead> {
        let instr = &program.instrs[pc.index()];
        let sources = instr.source_regs();
        tally.steps += 1;
        for source in &sources {
            let lanes = self.0[source.index()] & executing;
            if lanes != 0 {
                return Err(ReadOfDead { pc: pc.index(), register: source.index(), lanes });
            }
            tally.reads += u64::from(executing.count_ones());
        }
        for (slot, source) in sources.iter().enumerate() {
            if dead[pc.index()] >> slot & 1 != 0 {
                self.0[source.index()] = u32::MAX;
                tally.deaths += 1;
            }
        }
        for dst in &instr.dsts {
            self.0[dst.index()] &= !executing;
        }
        Ok(())
    }
}

/// Lanes of one path of the stack.
struct Path {
    pc: Pc,
    meeting: Option<Pc>,
    lanes: u32,
}

/// Runs 32 lanes for at most `steps` instructions on a stack of its own: guards hold by chance, and the side
/// of a branch that goes first is chosen by chance each time.
pub fn run(
    program: &Program,
    dead: &[u8],
    random: &mut Random,
    steps: u64,
    tally: &mut Tally,
) -> Result<(), ReadOfDead> {
    let mut poison = Poison([0; 256]);
    let mut stack = vec![Path { pc: Pc(0), meeting: None, lanes: u32::MAX }];
    for _ in 0..steps {
        while stack.last().is_some_and(|p| p.lanes == 0 || Some(p.pc) == p.meeting) {
            stack.pop();
        }
        tally.divergent += u64::from(stack.len() > 1);
        let Some(path) = stack.last_mut() else { break };
        let (pc, active) = (path.pc, path.lanes);
        let instr = &program.instrs[pc.index()];
        let executing = if instr.guard.is_some() { active & chance_mask(random) } else { active };
        poison.execute((program, dead), pc, executing, tally)?;
        match instr.op {
            Op::Bra { target, .. } if executing == active => path.pc = target,
            Op::Bra { target, reconvergence } if executing != 0 => {
                let outer = path.meeting;
                stack.pop();
                if let Some(pc) = reconvergence {
                    stack.push(Path { pc, meeting: outer, lanes: active });
                }
                let meeting = reconvergence.or(outer);
                let taken = Path { pc: target, meeting, lanes: executing };
                let other = Path { pc: pc.next(), meeting, lanes: active & !executing };
                if random.one_in(2) {
                    stack.extend([taken, other]);
                } else {
                    stack.extend([other, taken]);
                }
            }
            Op::Exit => {
                path.pc = pc.next();
                for path in &mut stack {
                    path.lanes &= !executing;
                }
            }
            _ => path.pc = pc.next(),
        }
    }
    Ok(())
}

/// The same on the stack of the machines.
pub fn run_on_simt_stack(
    program: &Program,
    dead: &[u8],
    random: &mut Random,
    steps: u64,
    tally: &mut Tally,
) -> Result<(), ReadOfDead> {
    let mut poison = Poison([0; 256]);
    let mut stack = SimtStack::new(LaneMask::ALL);
    for _ in 0..steps {
        if stack.is_done() {
            break;
        }
        tally.divergent += u64::from(stack.depth() > 1);
        let (pc, active) = (stack.pc(), stack.mask().0);
        let instr = &program.instrs[pc.index()];
        let executing = if instr.guard.is_some() { active & chance_mask(random) } else { active };
        poison.execute((program, dead), pc, executing, tally)?;
        match instr.op {
            Op::Bra { target, reconvergence } => stack.branch(LaneMask(executing), target, reconvergence),
            Op::Exit if executing == 0 => stack.advance(),
            Op::Exit => stack.exit(LaneMask(executing)),
            _ => stack.advance(),
        }
    }
    Ok(())
}

/// No lane, all, one, all but one, or half of them by chance.
fn chance_mask(random: &mut Random) -> u32 {
    match random.below(6) {
        0 => 0,
        1 => u32::MAX,
        2 => 1 << random.below(32),
        3 => !(1 << random.below(32)),
        _ => u32::try_from(random.bits() >> 32).expect("upper half"),
    }
}
