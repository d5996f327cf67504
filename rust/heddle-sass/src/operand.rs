//! One operand: which registers of the vector register file it names.

use crate::error::{Fault, MOST_SHOWN};

/// The number of the zero register, which is none.
const ZERO_REGISTER: u32 = 255;

/// Letters of a register with a number, the last number, and what there is: Turing to Hopper have the uniform ones.
const NUMBERED: [(&str, u32, &str); 4] = [
    ("R", 254, "R0 to R254 or RZ"),
    ("P", 6, "P0 to P6 or PT"),
    ("UR", 62, "UR0 to UR62 or URZ"),
    ("UP", 6, "UP0 to UP6 or UPT"),
];

/// What an operand names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand<'a> {
    /// A register, itself.
    Register(Register),
    /// A predicate, of a thread or of the warp: no register.
    Predicate,
    /// A uniform register, itself: none of the vector register file.
    Uniform,
    /// All else: an address or a constant, which can name registers in brackets; an immediate; the name of a place.
    Other(&'a str),
}

/// A register that stands in an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register {
    /// Its number; `None` for the zero register.
    pub number: Option<u8>,
    /// It has the suffix `.64`.
    pub pair: bool,
    /// It has a suffix that names a half or a byte.
    pub part: bool,
    /// It has the suffix of a 32-bit offset.
    pub offset: bool,
}

/// The register at the beginning of a text: `R7`, `RZ`, with suffixes.
fn register(text: &str) -> Option<Register> {
    let rest = text.strip_prefix('R')?;
    let (number, suffixes) = if let Some(suffixes) = rest.strip_prefix('Z') {
        (ZERO_REGISTER, suffixes)
    } else {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        (rest[..digits].parse().ok()?, &rest[digits..])
    };
    if suffixes.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let suffixes =
        suffixes.split(|c: char| c.is_whitespace() || matches!(c, '|' | ']')).next().unwrap_or_default();
    let has = |names: &[&str]| suffixes.split('.').any(|s| names.contains(&s));
    Some(Register {
        number: u8::try_from(number).ok().filter(|&n| u32::from(n) < ZERO_REGISTER),
        pair: has(&["64"]),
        part: has(&["H0", "H1", "B0", "B1", "B2", "B3"]),
        offset: has(&["U32", "S32"]),
    })
    .filter(|_| number <= ZERO_REGISTER)
}

/// Reads an operand.
pub fn parse(text: &str) -> Operand<'_> {
    let bare = text.trim_start_matches(['-', '!', '~', '|', '+']);
    let name = bare.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|n| {
            !n.is_empty() && (n.chars().all(|c| c.is_ascii_digit()) || n == "T" || n == "Z" || n == "R")
        })
    };
    if let Some(register) = register(bare) {
        Operand::Register(register)
    } else if numbered("UR") {
        Operand::Uniform
    } else if numbered("P") || numbered("UP") {
        Operand::Predicate
    } else {
        Operand::Other(bare)
    }
}

/// Refuses what has the form of a register with a number that no register has: `R300`, `R-1`.
///
/// # Errors
/// [`Fault::Register`].
pub fn check(text: &str) -> Result<(), Fault> {
    // Behind a backquote or in parentheses stands the name of a place, which can be any.
    let end = text.find(['`', '(']).unwrap_or(text.len());
    let is_sign = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '@' | '-'));
    for word in text[..end].split(is_sign) {
        let mut before = "";
        for term in word.split('-') {
            let name = term.split('.').next().unwrap_or_default();
            for (letters, last, expected) in NUMBERED {
                let above = |digits: &str| digits.parse::<u32>().ok().is_none_or(|number| number > last);
                let found = if before == letters && is_number(name) {
                    format!("{before}-{name}")
                } else if name.strip_prefix(letters).is_some_and(|n| is_number(n) && above(n)) {
                    name.to_owned()
                } else {
                    continue;
                };
                return Err(Fault::Register { found: found.chars().take(MOST_SHOWN).collect(), expected });
            }
            before = term;
        }
    }
    Ok(())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The registers in the brackets of an operand, and whether a uniform register stands beside them.
pub fn in_brackets(text: &str) -> (Vec<Register>, bool) {
    let (mut registers, mut uniform) = (Vec::new(), false);
    for bracket in text.split('[').skip(1) {
        let inside = bracket.split(']').next().unwrap_or_default();
        for term in inside.split(['+', '-', '*', ' ']) {
            registers.extend(register(term));
        }
    }
    // A descriptor's register stands in brackets of its own and is no base.
    if let Some(last) = text.rsplit('[').next() {
        let inside = last.split(']').next().unwrap_or_default();
        uniform |= inside.split(['+', '-', ' ']).any(|term| matches!(parse(term), Operand::Uniform));
    }
    (registers, uniform)
}

#[cfg(test)]
mod tests {
    use super::{Operand, check, in_brackets, parse};
    use crate::error::Fault;

    #[test]
    fn only_vector_registers_are_registers() {
        let number = |text| match parse(text) {
            Operand::Register(register) => register.number.map(i32::from).or(Some(-1)),
            _ => None,
        };
        for (text, expected) in [
            ("R7", Some(7)),
            ("-R254.reuse", Some(254)),
            ("|R3|.H0_H0", Some(3)),
            ("~R1", Some(1)),
            ("RZ.CC", Some(-1)),
            ("R20 0x0", Some(20)),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
        for text in
            ["RPC", "R1x", "SR_TID.X", "c[0x0][0x28]", "0x3c", "`(.L_1)", "B0", "SB0", "gdesc[UR4]", ""]
        {
            assert!(matches!(parse(text), Operand::Other(_)), "{text}");
        }
        for text in ["P0", "!P6", "PT", "UP1", "!UPT", "PR"] {
            assert_eq!(parse(text), Operand::Predicate, "{text}");
        }
        assert_eq!([parse("UR4"), parse("URZ")], [Operand::Uniform; 2]);
    }

    #[test]
    fn numbers_that_no_register_has_are_refused() {
        for (text, found, expected) in [
            ("R255", "R255", "R0 to R254 or RZ"),
            ("-R256.reuse", "R256", "R0 to R254 or RZ"),
            ("|R300|.H0_H0", "R300", "R0 to R254 or RZ"),
            ("R99999999999999999999", "R99999999999999999999", "R0 to R254 or RZ"),
            ("R-1", "R-1", "R0 to R254 or RZ"),
            ("[R256.64+0x10]", "R256", "R0 to R254 or RZ"),
            ("[R2.64+-R300]", "R300", "R0 to R254 or RZ"),
            ("c[0x0][R300]", "R300", "R0 to R254 or RZ"),
            ("!P7", "P7", "P0 to P6 or PT"),
            ("P-1", "P-1", "P0 to P6 or PT"),
            ("desc[UR63][R2.64]", "UR63", "UR0 to UR62 or URZ"),
            ("UP7", "UP7", "UP0 to UP6 or UPT"),
        ] {
            let fault = Fault::Register { found: found.to_owned(), expected };
            assert_eq!(check(text), Err(fault), "{text}");
        }
        for text in [
            "R254.reuse",
            "-RZ",
            "[R2.64-0x300]",
            "[R2+-0x8]",
            "R20 0x0",
            "desc[UR62][R2.64]",
            "!UPT",
            "PR",
            "RGBA",
            "SR_TID.X",
            "SB300",
            "R300_H0",
            "P300x",
            "`(R300)",
            "32@lo((R300 + .L_1@srel))",
            "-1",
            "",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn addresses_have_a_base_and_may_have_a_uniform_register() {
        let found = |text| {
            let (registers, uniform) = in_brackets(text);
            (registers.iter().map(|r| (r.number, r.pair, r.offset)).collect::<Vec<_>>(), uniform)
        };
        assert_eq!(found("[R2.64+0x10]"), (vec![(Some(2), true, false)], false));
        assert_eq!(found("desc[UR4][R2.64]"), (vec![(Some(2), true, false)], false));
        assert_eq!(found("[R3.U32+UR4+0x8]"), (vec![(Some(3), false, true)], true));
        assert_eq!(found("c[0x3][R9+0x4]"), (vec![(Some(9), false, false)], false));
        assert_eq!(found("[UR5]"), (vec![], true));
    }
}
