//! The independent checker of register-intervals.

use heddle_isa::{IntervalId, Intervals, Pc, Program};
use heddle_port::Reg;

use crate::error::{IntervalFault, PassError};
use crate::flow::Flow;
use crate::registers::{accessed_registers, check_allocated, members, size, subtract};
use crate::waits::calls;

/// Proves from the instructions alone, not from the blocks, that the intervals are right:
///
/// 1. every instruction is in exactly one interval that exists;
/// 2. the header of an interval lies in it, and control enters it there only, from other intervals or
///    from the start of the kernel;
/// 3. its working set holds every register that an instruction in it accesses;
/// 4. its working set has at most `intervals.limit` registers;
/// 5. where a call comes back to, an interval begins.
///
/// The time is linear in the number of instructions.
///
/// # Errors
/// [`PassError::Intervals`] with the rule that is broken; the other variants if the program is not
/// allocated or leads out of itself.
pub fn check_intervals(program: &Program, intervals: &Intervals) -> Result<(), PassError> {
    check_allocated(program)?;
    let flow = Flow::new(program)?;
    check(program, &flow, intervals)
        .map_err(|fault| PassError::Intervals { kernel: program.name.clone(), fault })
}

fn check(program: &Program, flow: &Flow, intervals: &Intervals) -> Result<(), IntervalFault> {
    let (table, of_pc) = (&intervals.intervals, &intervals.of_pc);
    if of_pc.len() != program.instrs.len() {
        return Err(IntervalFault::Coverage { instructions: program.instrs.len(), assigned: of_pc.len() });
    }
    for (pc, &interval) in (0..).map(Pc).zip(of_pc) {
        if usize::from(interval.0) >= table.len() {
            return Err(IntervalFault::Unknown { pc, interval, count: table.len() });
        }
    }
    for (index, interval) in table.iter().enumerate() {
        let id = interval.id;
        if usize::from(id.0) != index {
            return Err(IntervalFault::Number { index, id });
        }
        if of_pc.get(interval.header.index()) != Some(&id) {
            return Err(IntervalFault::Header { id, header: interval.header });
        }
        let registers = size(&interval.working_set);
        if registers > intervals.limit {
            return Err(IntervalFault::TooLarge { id, registers, limit: intervals.limit });
        }
    }
    let header = |id: IntervalId| table[usize::from(id.0)].header;
    let first = of_pc[0];
    if header(first) != Pc(0) {
        return Err(IntervalFault::KernelEntry { id: first, header: header(first) });
    }
    for pc in flow.pcs() {
        let id = of_pc[pc.index()];
        let mut missing = accessed_registers(&program.instrs[pc.index()]);
        subtract(&mut missing, &table[usize::from(id.0)].working_set);
        if let Some(register) = members(&missing).next() {
            let register = Reg(u32::try_from(register).unwrap_or(u32::MAX));
            return Err(IntervalFault::Missing { pc, register, id });
        }
        for &to in flow.successors(pc) {
            let entered = of_pc[to.index()];
            if calls(&program.instrs[pc.index()]) && header(entered) != to {
                return Err(IntervalFault::CallGoesOn { from: pc, to });
            }
            if entered != id && header(entered) != to {
                return Err(IntervalFault::SecondEntry {
                    id: entered,
                    from: pc,
                    to,
                    header: header(entered),
                });
            }
        }
    }
    Ok(())
}
