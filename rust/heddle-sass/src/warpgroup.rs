//! Matrix products of a warp group (Hopper): their accumulators are as wide as the shape says.
//!
//! PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions": the product of 64 x K and K x N has 64 x N elements,
//! spread over the 128 threads of the group. A from registers has 64 x K elements in 32 bytes a row.

use crate::instruction::Instruction;

/// Threads of a warp group.
const THREADS: u32 = 128;
/// Rows of the product.
const ROWS: u32 = 64;
/// Registers of a thread that hold A.
const REGISTERS_OF_A: usize = 4;

/// Whether an instruction is one.
pub fn is_product(instruction: &Instruction) -> bool {
    matches!(instruction.base(), "HGMMA" | "QGMMA" | "IGMMA" | "BGMMA")
}

/// Registers of the accumulator and of A, where they lie in registers; `None` where the shape is not understood.
pub fn widths(instruction: &Instruction) -> Option<[usize; 2]> {
    let mut modifiers = instruction.opcode.split('.').skip(1);
    let mut shape = modifiers.by_ref().find(|m| m.starts_with("64x"))?.split('x').skip(1);
    let columns: u32 = shape.next()?.parse().ok().filter(|n| (8..=256).contains(n) && n % 8 == 0)?;
    let bytes = if modifiers.next() == Some("F16") { 2 } else { 4 };
    Some([(ROWS * columns * bytes / THREADS / 4) as usize, REGISTERS_OF_A])
}

#[cfg(test)]
mod tests {
    use super::widths;
    use crate::instruction::parse;

    #[test]
    fn an_accumulator_is_as_wide_as_the_shape_says() {
        let of = |line| widths(&parse(line, 0).ok().flatten().expect("an instruction"));
        assert_eq!(of("HGMMA.64x256x16.F32 R24, gdesc[UR4], R24"), Some([128, 4]));
        assert_eq!(of("HGMMA.64x8x16.F32.BF16 R24, R4, gdesc[UR4], R24"), Some([4, 4]));
        assert_eq!(of("HGMMA.64x64x16.F16 R24, gdesc[UR4], R24"), Some([16, 4]));
        assert_eq!(of("IGMMA.64x8x32.S8.S8 R24, gdesc[UR4], R24"), Some([4, 4]));
        assert_eq!(of("HGMMA.64x7x16.F32 R24, gdesc[UR4], R24"), None);
        assert_eq!(of("HGMMA.F32 R24, gdesc[UR4], R24"), None);
    }
}
