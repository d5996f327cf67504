//! Which SMs of a co-simulation are RTL.

use std::collections::BTreeSet;
use std::str::FromStr;

/// The SMs that are RTL; the others are cycle models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RtlSms {
    /// Every simulated SM.
    All,
    /// Those with these numbers, at least one.
    Some(BTreeSet<u32>),
}

/// A list of SMs that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RtlSmsError {
    /// A part of it is no number.
    #[error("'{part}' is no number of an SM; expected numbers with commas between them, as in 0,2, or all")]
    Number {
        /// The part.
        part: String,
    },
    /// A number that the run does not have.
    #[error("--rtl-sm {sm}: the SMs of the run are 0 to {last} (--sms {})", .last + 1)]
    NotThere {
        /// The number.
        sm: u32,
        /// The highest one that there is.
        last: u32,
    },
}

impl RtlSms {
    /// Their numbers, of `sms` SMs, ascending.
    #[must_use]
    pub fn of(&self, sms: u32) -> Vec<u32> {
        match self {
            Self::All => (0..sms).collect(),
            Self::Some(numbers) => numbers.iter().copied().collect(),
        }
    }

    /// Whether all of them are among `sms` SMs, at least one.
    ///
    /// # Errors
    /// [`RtlSmsError::NotThere`].
    pub fn check(&self, sms: u32) -> Result<(), RtlSmsError> {
        match self.of(sms).last() {
            Some(&sm) if sm >= sms => Err(RtlSmsError::NotThere { sm, last: sms.saturating_sub(1) }),
            _ => Ok(()),
        }
    }
}

impl FromStr for RtlSms {
    type Err = RtlSmsError;

    fn from_str(text: &str) -> Result<Self, RtlSmsError> {
        if text.trim() == "all" {
            return Ok(Self::All);
        }
        let number = |part: &str| {
            let part = part.trim();
            part.parse().map_err(|_| RtlSmsError::Number { part: part.to_owned() })
        };
        text.split(',').map(number).collect::<Result<_, _>>().map(Self::Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_sms_of_the_run() {
        let list: RtlSms = "2, 0,2".parse().expect("a list");
        assert_eq!(list.of(4), [0, 2]);
        assert_eq!((list.check(3), list.check(2)), (Ok(()), Err(RtlSmsError::NotThere { sm: 2, last: 1 })));
        let all: RtlSms = "all".parse().expect("all of them");
        assert_eq!((all.of(3), all.check(1)), (vec![0, 1, 2], Ok(())));
        for (text, part) in [("", ""), ("1,", ""), ("one", "one"), ("-1", "-1"), ("1,all", "all")] {
            assert_eq!(text.parse::<RtlSms>(), Err(RtlSmsError::Number { part: part.to_owned() }));
        }
        assert!(list.check(2).expect_err("there is no SM 2").to_string().contains("0 to 1 (--sms 2)"));
    }
}
