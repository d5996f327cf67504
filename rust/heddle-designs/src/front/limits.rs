//! What a configuration must be, and the checks that all designs share.

use std::borrow::Cow;

use heddle_port::{DesignError, MAX_PORT_WIDTH, PortWidths};

/// One thing that a configuration must keep to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    key: &'static str,
    value: u64,
    holds: bool,
    reason: Cow<'static, str>,
}

impl Limit {
    /// The value of preset key `key`; `holds` says whether it is allowed, `reason` what is.
    #[must_use]
    pub fn new(
        key: &'static str,
        value: impl Into<u64>,
        holds: bool,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { key, value: value.into(), holds, reason: reason.into() }
    }

    /// Cycles of an access to a bank, 1 or more.
    #[must_use]
    pub fn access(key: &'static str, cycles: u8) -> Self {
        Self::new(key, cycles, cycles != 0, "an access takes at least 1 cycle")
    }

    /// Eighths of a cycle that an access takes beyond whole ones.
    #[must_use]
    pub fn eighths(eighths: u32) -> Self {
        let reason = "eight of them are a cycle of register_file.bank_cycles";
        Self::new("register_file.bank_eighths", eighths, eighths < 8, reason)
    }

    /// Rows of a bank that are in use, 1 to `most`.
    #[must_use]
    pub fn rows(rows: u16, most: u16) -> Self {
        let holds = (1..=most).contains(&rows);
        Self::new("register_file.rows_per_bank", rows, holds, format!("a bank has 1 to {most} rows"))
    }

    /// # Errors
    /// [`DesignError::Config`] of `design`, where it does not hold.
    pub fn check(self, design: &'static str) -> Result<(), DesignError> {
        if self.holds {
            return Ok(());
        }
        Err(DesignError::Config {
            design,
            key: self.key,
            value: self.value,
            reason: self.reason.into_owned(),
        })
    }

    /// Of the port itself.
    pub(super) fn of_widths(widths: PortWidths) -> [Self; 2] {
        [("sm.issue_width", widths.issue), ("sm.result_width", widths.result)].map(|(key, width)| {
            let holds = (1..=MAX_PORT_WIDTH).contains(&width);
            Self::new(key, width as u64, holds, format!("a port has 1 to {MAX_PORT_WIDTH} slots"))
        })
    }
}
