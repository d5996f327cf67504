//! Lines of a label: instructions, directives and the names of places.

use crate::error::{Fault, MOST_SHOWN};
use crate::operand;

/// An instruction as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// Byte offset in the function, where the graph has it.
    pub address: Option<u64>,
    /// Without the `@`; none for `@PT`, which is always true.
    pub guard: Option<String>,
    /// Opcode with modifiers.
    pub opcode: String,
    /// Operands, as they are separated by commas.
    pub operands: Vec<String>,
    /// What a comment says of where it leads.
    pub target: Option<String>,
    /// Byte of the text where it begins.
    pub at: usize,
}

impl Instruction {
    /// The opcode without modifiers.
    pub fn base(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    /// Whether it has a modifier.
    pub fn has(&self, modifier: &str) -> bool {
        self.opcode.split('.').skip(1).any(|m| m == modifier)
    }

    /// The line, as a person reads it.
    pub fn text(&self) -> String {
        let guard = self.guard.as_ref().map(|guard| format!("@{guard} ")).unwrap_or_default();
        format!("{guard}{} {}", self.opcode, self.operands.join(", ")).trim_end().to_owned()
    }

    /// Places that its operands or a comment name.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        let named = self.operands.iter().filter_map(|operand| {
            let (_, rest) = operand.split_once("`(")?;
            rest.split_once(')').map(|(name, _)| name.trim())
        });
        self.target.as_deref().into_iter().chain(named)
    }

    /// Whether an operand or a comment names a block as the place where it leads.
    pub fn names(&self, block: &str) -> bool {
        self.places().any(|place| place == block)
    }
}

/// Reads a line. `None` for the name of a place, a directive, and a line with nothing in it.
///
/// # Errors
/// [`Fault::Instruction`], [`Fault::Register`].
pub fn parse(line: &str, at: usize) -> Result<Option<Instruction>, Fault> {
    let (rest, address) = address(line);
    let (rest, target) = without_comments(rest);
    let mut rest = rest.as_str().trim();
    // Maxwell and Pascal issue two instructions together, which stand in braces.
    rest = rest.trim_start_matches('{').trim_start();
    let (rest, second) = self::address(rest);
    let rest = rest.trim_start_matches('{').trim_end_matches([';', '}', ' ', '\t']).trim();
    let is_place = line.ends_with(':') && address.is_none();
    let is_directive = rest.starts_with('.');
    if rest.is_empty() || is_place || is_directive {
        return Ok(None);
    }
    let fault = || Fault::Instruction { found: line.chars().take(MOST_SHOWN).collect() };
    let (guard, rest) = match rest.strip_prefix('@') {
        Some(guarded) => {
            let (guard, rest) = guarded.split_once(char::is_whitespace).ok_or_else(fault)?;
            ((guard != "PT").then(|| guard.to_owned()), rest.trim_start())
        }
        None => (None, rest),
    };
    let (opcode, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let is_opcode = opcode.starts_with(|c: char| c.is_ascii_uppercase())
        && opcode.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
    if !is_opcode {
        return Err(fault());
    }
    let (opcode, operands) = (opcode.to_owned(), operands(rest));
    guard.iter().chain(&operands).try_for_each(|operand| operand::check(operand))?;
    Ok(Some(Instruction { address: address.or(second), guard, opcode, operands, target, at }))
}

/// The line behind its address, `0010:` or `/*0010*/`.
fn address(line: &str) -> (&str, Option<u64>) {
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let commented = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/"));
    let found = commented.or_else(|| line.split_once(':'));
    match found.and_then(|(number, rest)| Some((rest.trim_start(), hex(number.trim())?))) {
        Some((rest, address)) => (rest, Some(address)),
        None => (line, None),
    }
}

/// The line without `(*"TARGET= .L_1 "*)` and `/* … */`, and the target.
fn without_comments(line: &str) -> (String, Option<String>) {
    let (mut text, mut rest, mut target) = (String::new(), line, None);
    while let Some(begin) = first_of(rest, [b"(*", b"/*"]) {
        let comment = &rest[begin + 2..];
        let end = first_of(comment, [b"*)", b"*/"]).unwrap_or(comment.len());
        // An address of the second instruction of a pair is no comment.
        if rest[begin..].starts_with("/*") && u64::from_str_radix(comment[..end].trim(), 16).is_ok() {
            text.push_str(&rest[..(begin + end + 4).min(rest.len())]);
        } else {
            text.push_str(&rest[..begin]);
            let named = comment[..end].split_once("TARGET=").map(|(_, name)| name);
            target = named.map(|name| name.trim_matches(['"', ' ']).to_owned()).or(target);
        }
        rest = comment.get(end + 2..).unwrap_or_default();
    }
    (text + rest, target)
}

/// Where the first of two marks begins. Looks at nothing behind it, so that a line is read once, however many marks it has.
fn first_of(text: &str, marks: [&[u8; 2]; 2]) -> Option<usize> {
    text.as_bytes().windows(2).position(|pair| marks.iter().any(|mark| pair == *mark))
}

/// Parts at the commas that are in no brackets.
fn operands(text: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let parts = text.split(|c| {
        depth += match c {
            '[' | '(' => 1,
            ']' | ')' => -1,
            _ => 0,
        };
        c == ',' && depth <= 0
    });
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Instruction, parse};

    fn read(line: &str) -> Instruction {
        parse(line, 0).expect("a line").unwrap_or_else(|| panic!("{line} has an instruction"))
    }

    #[test]
    fn addresses_guards_pairs_and_comments_come_off() {
        let first = read("0010: { @!P0 IADD RZ.CC, -RZ, c[0x0] [0x160] ;");
        assert_eq!((first.address, first.guard.as_deref()), (Some(16), Some("!P0")));
        assert_eq!(first.operands, ["RZ.CC", "-RZ", "c[0x0] [0x160]"]);
        let second = read("/*0018*/   S2R R0, SR_CTAID.X }");
        assert_eq!((second.address, second.text().as_str()), (Some(24), "S2R R0, SR_CTAID.X"));
        let sync = read(r#"0158: @P0 SYNC (*"TARGET= .L_4 "*);"#);
        assert!(sync.names(".L_4") && sync.operands.is_empty());
        let branch = read("@PT BRA `(.L_1) ;");
        assert!(branch.names(".L_1") && !branch.names(".L_2") && branch.guard.is_none());
    }

    #[test]
    fn places_and_directives_are_no_instructions() {
        for line in ["k:", ".text.k:", ".type\t\tk,@function", "", "}", ".size k,(.L_1 - k)"] {
            assert_eq!(parse(line, 0), Ok(None), "{line}");
        }
        for line in ["0010: ?", "@P0", "iadd R0, R1", "0010: @P0"] {
            assert!(parse(line, 0).is_err(), "{line}");
        }
    }
}
