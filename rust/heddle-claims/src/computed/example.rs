//! The example of LTRF, section 4.3: register-intervals of listing 1, their bank conflicts and renumbering.

use heddle_isa::RegSet;
use heddle_kernel::{lower_entry, parse};
use heddle_passes::{Renumbered, form_intervals, renumber};

use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// LTRF, listing 1 and figures 8 to 10.
pub const LISTING: Family = Family {
    measures: &[
        (
            "ltrf-example-registers",
            "registers of R0, R1, R4 and R5 in the second register-interval of listing 1, less all others in it",
        ),
        ("ltrf-example-conflicts", "of its second and third register-interval those with a bank conflict"),
        ("ltrf-example-conflicts-left", "the same of the renumbered program"),
    ],
    compute: listing,
    command: None,
};

/// The listing, with registers that lie in the banks of figure 8.
const PTX: (&str, &str) = ("listing1.ptx", include_str!("listing1.ptx"));
/// Registers of an interval, banks, and registers of the file (section 4.3).
const LIMIT: u32 = 4;
const BANKS: usize = 4;
const REGISTERS: u32 = 8;
/// R0, R1, R4 and R5 by the numbers that they have here.
const SECOND: [usize; 4] = [0, 4, 2, 6];

fn listing(_: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let (second, renumbered) = intervals(PTX.1)?;
    let named = SECOND.iter().filter(|register| second[**register]).count();
    let others = second.count_ones() - named;
    // The second and the third of them.
    let with = |conflicts: &[u32]| conflicts.iter().skip(1).take(2).filter(|count| **count > 0).count();
    Ok(vec![
        ("ltrf-example-registers", named as f64 - others as f64),
        ("ltrf-example-conflicts", with(&renumbered.before) as f64),
        ("ltrf-example-conflicts-left", with(&renumbered.after) as f64),
    ])
}

/// The working set of the second interval of a listing, and what renumbering makes of all of them.
fn intervals(text: &str) -> Result<(RegSet, Renumbered), ClaimError> {
    let wrong = |e: &dyn std::fmt::Display| fail("ltrf-example-registers")(e.to_string());
    let module = parse(PTX.0, text).map_err(|e| wrong(&e))?;
    // The listing names the registers, and writes one that nothing reads: nothing is allocated.
    let mut program = lower_entry(&module, None).map_err(|e| wrong(&e))?;
    program.allocated = true;
    program.reserve_registers(REGISTERS);
    let (cut, formed) = form_intervals(&program, LIMIT).map_err(|e| wrong(&e))?;
    let second = formed.intervals.get(1).ok_or_else(|| wrong(&"the listing is one register-interval"))?;
    let renumbered = renumber(&cut, &formed, BANKS).map_err(|e| wrong(&e))?;
    Ok((second.working_set, renumbered))
}

#[cfg(test)]
mod tests {
    use super::{PTX, intervals};

    /// docs/passes.md derives all of them.
    #[test]
    fn the_intervals_are_those_of_the_derivation() {
        let (second, renumbered) = intervals(PTX.1).expect("intervals");
        assert_eq!(second.iter_ones().collect::<Vec<_>>(), [0, 2, 4, 6]);
        assert_eq!((&renumbered.before[..], &renumbered.after[..]), (&[1, 1, 1, 0, 0][..], &[0; 5][..]));
    }

    /// Registers numbered as they are called lie in banks of their own.
    #[test]
    fn the_conflicts_come_from_the_banks_of_figure_8() {
        let named = PTX.1.replace("R0, R2, R4, R6;", "R0, R1, R2, R3;").replace("R1, R3, R5;", "R4, R5, R6;");
        assert_eq!(intervals(&named).expect("intervals").1.before[0], 0);
    }
}
