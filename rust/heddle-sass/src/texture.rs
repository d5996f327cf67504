//! Texture and surface instructions: how many registers their operands have.
//!
//! The number of coordinates follows from the dimension, those of the result from the mask of components. Until
//! Pascal one destination has all components and one source all coordinates; the short forms (`TEXS`, …) and all from
//! Volta on have pairs: the first destination takes the third and fourth component, the second one the first two.

use crate::instruction::Instruction;

/// The first architecture without the long forms.
const FIRST_OF_PAIRS: u32 = 70;
/// Most components of a texel.
const COMPONENTS: usize = 4;

/// Registers of the operands of a texture instruction, in the order in which they stand.
#[derive(Debug, PartialEq, Eq)]
pub struct Widths {
    /// Of the destinations, which come first.
    pub destinations: Vec<usize>,
    /// Of the sources.
    pub sources: [usize; 2],
}

/// Whether an instruction fetches from a texture with coordinates and a mask.
pub fn is_fetch(instruction: &Instruction) -> bool {
    matches!(instruction.base(), "TEX" | "TEXS" | "TLD" | "TLDS" | "TLD4" | "TLD4S")
}

/// Whether it is another instruction of textures, whose operands are not known: with gradients, of sizes, of levels.
pub fn is_unknown(instruction: &Instruction) -> bool {
    matches!(instruction.base(), "TXD" | "TXQ" | "TMML")
}

/// The widths, where dimension and mask are understood; `second` says whether the second source is a register.
pub fn widths(instruction: &Instruction, architecture: u32, second: bool) -> Option<Widths> {
    let dimension = instruction.operands.iter().find_map(|operand| coordinates(operand))?;
    let last = instruction.operands.last()?;
    // The mask of all components is left out.
    let components = if coordinates(last).is_some() { COMPONENTS } else { components(last)? };
    let level = ["LL", "LB", "LBA", "LLA"].iter().any(|m| instruction.has(m));
    // A handle in a register, a value to compare with, offsets.
    let more = ["B", "DC", "AOFFI"].iter().filter(|m| instruction.has(m)).count() + usize::from(level);
    let short = instruction.base().ends_with('S') || architecture >= FIRST_OF_PAIRS;
    Some(if short {
        let inputs = dimension + more;
        let other = if second { inputs.saturating_sub(2).clamp(1, 2) } else { 0 };
        let first = inputs.saturating_sub(other).clamp(1, 2);
        // Gathers have four texels of one component.
        let results = if instruction.base().starts_with("TLD4") { COMPONENTS } else { components };
        Widths { destinations: vec![results.saturating_sub(2), results.min(2)], sources: [first, other] }
    } else {
        Widths { destinations: vec![components], sources: [dimension, more.max(1)] }
    })
}

/// Coordinates of a dimension as it stands in an operand.
fn coordinates(dimension: &str) -> Option<usize> {
    Some(match dimension {
        "1D" => 1,
        "2D" | "ARRAY_1D" => 2,
        "3D" | "CUBE" | "ARRAY_2D" => 3,
        "ARRAY_3D" | "ARRAY_CUBE" => 4,
        _ => return None,
    })
}

/// Components of a mask: `0x7`, `RGB`.
fn components(mask: &str) -> Option<usize> {
    if let Some(number) = mask.strip_prefix("0x") {
        let bits = u8::from_str_radix(number, 16).ok().filter(|bits| (1..16).contains(bits))?;
        return Some(bits.count_ones() as usize);
    }
    let letters = !mask.is_empty() && mask.chars().all(|c| "RGBA".contains(c));
    letters.then_some(mask.len()).filter(|&count| count <= COMPONENTS)
}
