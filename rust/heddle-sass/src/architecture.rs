//! Which architecture a graph is for. It does not say so itself.

use std::cmp::Reverse;

use heddle_trace::opcodes::look_up;

use crate::instruction::Instruction;
use crate::registers;

/// Architectures whose opcodes are known: those of traces, and Hopper.
pub const ARCHITECTURES: [u32; 16] = {
    let mut all = [90; 16];
    let mut index = 0;
    while index < heddle_trace::ARCHITECTURES.len() {
        all[index] = heddle_trace::ARCHITECTURES[index];
        index += 1;
    }
    all
};

/// The first architecture whose instructions have 16 bytes (Volta).
const FIRST_OF_16_BYTES: u32 = 70;
/// The first architecture where every fourth word of 8 bytes has control information and no instruction (Maxwell);
/// before it is every eighth.
const FIRST_OF_FOUR_WORDS: u32 = 50;

/// Whether instructions of an architecture can lie at such an address.
fn has_instruction_at(architecture: u32, address: u64) -> bool {
    match architecture {
        FIRST_OF_16_BYTES.. => address.is_multiple_of(16),
        FIRST_OF_FOUR_WORDS.. => address.is_multiple_of(8) && !address.is_multiple_of(32),
        _ => address.is_multiple_of(8) && !address.is_multiple_of(64),
    }
}

/// The architecture that has instructions at all these addresses and knows the registers of all; where there is none, the one that
/// fits most instructions, and of several the one that lacks the fewest opcodes, which can say what else is wrong. Of several it is
/// the one whose tables know most of the modifiers by name, and of these the oldest: without addresses, `IMAD.WIDE` says that it is
/// none before Volta.
pub fn infer<'a>(instructions: impl Iterator<Item = &'a Instruction> + Clone) -> u32 {
    let place =
        |i: &Instruction, architecture: u32| i.address.is_none_or(|at| has_instruction_at(architecture, at));
    let strangers = |architecture: u32| {
        let fits = |i: &&Instruction| place(i, architecture) && registers::of(i, architecture).is_ok();
        instructions.clone().filter(|i| !fits(i)).count()
    };
    let lacking = |architecture: u32| {
        let has = |i: &&Instruction| place(i, architecture) && look_up(&i.opcode, architecture).is_some();
        instructions.clone().filter(|i| !has(i)).count()
    };
    let known = |architecture: u32| {
        let of = |i: &Instruction| look_up(&i.opcode, architecture).map_or(0, |row| row.modifiers().len());
        instructions.clone().map(of).sum::<usize>()
    };
    let rank =
        |&architecture: &u32| (strangers(architecture), lacking(architecture), Reverse(known(architecture)));
    ARCHITECTURES.into_iter().min_by_key(rank).unwrap_or(ARCHITECTURES[0])
}

#[cfg(test)]
mod tests {
    use super::infer;
    use crate::instruction::parse;

    #[test]
    fn of_those_that_refuse_one_has_the_opcode() {
        let line = "HGMMA.64x256x16.F32 R200, gdesc[UR4], R200, gsb0";
        let all = [parse(line, 0).ok().flatten().expect("an instruction")];
        assert_eq!(infer(all.iter()), 90);
    }

    #[test]
    fn without_addresses_the_modifiers_tell_what_is_not_of_kepler() {
        let of = |lines: &[&str]| {
            let all: Vec<_> =
                lines.iter().map(|line| parse(line, 0).ok().flatten().expect("an instruction")).collect();
            infer(all.iter())
        };
        assert_eq!(of(&["IMAD R2, R4, R5, R6", "EXIT"]), 35);
        assert_eq!(of(&["IMAD.WIDE R2, R4, R5, R6", "EXIT"]), 70);
    }
}
