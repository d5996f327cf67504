//! Units of constants.

use std::fmt;

/// Powers of the base units in a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unit {
    picojoule: i8,
    milliwatt: i8,
    bit: i8,
    square_millimetre: i8,
}

impl Unit {
    /// The units that a constant can have, by their names.
    pub const NAMES: [&str; 6] = ["pJ", "pJ/bit", "mW", "bit", "mm2", "1"];
    /// An energy.
    pub const ENERGY: Self = Self { picojoule: 1, ..Self::ONE };
    /// A power.
    pub const POWER: Self = Self { milliwatt: 1, ..Self::ONE };
    /// An area.
    pub const AREA: Self = Self { square_millimetre: 1, ..Self::ONE };
    /// A number of bits.
    pub const BITS: Self = Self { bit: 1, ..Self::ONE };
    /// A number.
    pub const ONE: Self = Self { picojoule: 0, milliwatt: 0, bit: 0, square_millimetre: 0 };

    /// The unit with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "pJ" => Some(Self::ENERGY),
            "pJ/bit" => Some(Self { bit: -1, ..Self::ENERGY }),
            "mW" => Some(Self::POWER),
            "bit" => Some(Self::BITS),
            "mm2" => Some(Self::AREA),
            "1" => Some(Self::ONE),
            _ => None,
        }
    }

    /// The unit of a product.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self {
            picojoule: self.picojoule.saturating_add(other.picojoule),
            milliwatt: self.milliwatt.saturating_add(other.milliwatt),
            bit: self.bit.saturating_add(other.bit),
            square_millimetre: self.square_millimetre.saturating_add(other.square_millimetre),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let powers = [
            ("pJ", self.picojoule),
            ("mW", self.milliwatt),
            ("bit", self.bit),
            ("mm2", self.square_millimetre),
        ];
        let mut any = false;
        for (name, power) in powers.into_iter().filter(|(_, power)| *power != 0) {
            let gap = if any { " " } else { "" };
            any = true;
            match power {
                1 => write!(f, "{gap}{name}")?,
                _ => write!(f, "{gap}{name}^{power}")?,
            }
        }
        if any { Ok(()) } else { write!(f, "1") }
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn units_multiply() {
        let of = |name| Unit::named(name).unwrap_or_else(|| panic!("{name} is a unit"));
        assert_eq!(of("pJ/bit").times(of("bit")), Unit::ENERGY);
        assert_eq!(of("mW").times(of("1")), Unit::POWER);
        assert_eq!(of("pJ/bit").times(of("pJ/bit")).to_string(), "pJ^2 bit^-2");
        assert_eq!((of("1").to_string(), Unit::named("pW")), ("1".to_owned(), None));
        assert!(Unit::NAMES.iter().all(|name| Unit::named(name).is_some()));
    }
}
