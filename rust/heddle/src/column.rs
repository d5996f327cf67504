//! Columns of tables: what is shown, what gives way where the terminal is narrow, and how numbers read.

use serde_json::Value;

/// A column of a table and of CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Key of the rows.
    pub key: &'static str,
    /// Columns with the highest rank are the first to be left out of a table that is too wide; 0 stays.
    pub rank: u8,
    kind: Kind,
    /// Left out of a table in which no row has a value.
    pub optional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A name or a number, which is never broken.
    Whole,
    /// A fraction: three decimals, whatever it is.
    Fraction,
    /// A text, which goes on in the next line between words.
    Text,
}

impl Column {
    /// A column that every table has.
    pub const fn kept(key: &'static str) -> Self {
        Self { key, rank: 0, kind: Kind::Whole, optional: false }
    }

    /// A column that gives way.
    pub const fn ranked(key: &'static str, rank: u8) -> Self {
        Self { rank, ..Self::kept(key) }
    }

    /// The column with numbers that are fractions.
    pub const fn fraction(self) -> Self {
        Self { kind: Kind::Fraction, ..self }
    }

    /// The column with texts.
    pub const fn text(self) -> Self {
        Self { kind: Kind::Text, ..self }
    }

    /// The column, left out of a table in which no row has a value.
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// Whether its cells may go on in the next line.
    pub fn wraps(self) -> bool {
        self.kind == Kind::Text
    }

    /// A value as the table shows it: thousands separated, and no decimals that say nothing.
    pub fn shown(self, value: Option<&Value>) -> String {
        match value {
            Some(Value::Number(n)) => match (n.as_u64(), n.as_f64()) {
                (Some(n), _) => thousands(n),
                (None, Some(n)) if self.kind == Kind::Fraction => format!("{n:.3}"),
                (None, Some(n)) => measured(n),
                (None, None) => n.to_string(),
            },
            Some(Value::Bool(yes)) => if *yes { "yes" } else { "NO" }.to_owned(),
            None | Some(Value::Null) => "–".to_owned(),
            other => plain(other),
        }
    }

    /// The heading, in lines, narrow enough for a table of results to fit 120 columns.
    pub fn heading(self) -> String {
        match self.key {
            "warp_instructions" => "warp\ninstr.".to_owned(),
            "thread_instructions" => "thread\ninstr.".to_owned(),
            "warp_instructions_per_second" => "warp\ninstr.\na second".to_owned(),
            "register_cache_hit_rate" => "register\ncache\nhit rate".to_owned(),
            "shared_cache_hit_rate" => "shared\ncache\nhit rate".to_owned(),
            "shared_utilisation" => "shared\nbytes\nused".to_owned(),
            "prefetches" => "pre-\nfetches".to_owned(),
            "reference_words_compared" => "ref.\nwords\ncompared".to_owned(),
            "sampled.estimated_cycles" => "estimated\ncycles".to_owned(),
            "sampled.estimated_ipc" => "estimated\nipc".to_owned(),
            "sampled.bound_cycles" => "bound\n(95 %)\ncycles".to_owned(),
            "sampled.bound" => "bound\n(95 %)\nshare".to_owned(),
            "sampled.windows" => "windows".to_owned(),
            "sampled.measured_share" => "share\nmeasured".to_owned(),
            "cycles_b_to_a" => "cycles\nb / a".to_owned(),
            "ipc_b_to_a" => "ipc\nb / a".to_owned(),
            "mean_b_to_a" => "mean\nb / a".to_owned(),
            "mismatches" => "mis-\nmatches".to_owned(),
            key => key.replace('_', "\n"),
        }
    }

    /// The heading in one line.
    pub fn name(self) -> String {
        match self.key {
            "cycles_b_to_a" | "ipc_b_to_a" | "mean_b_to_a" => self.heading().replace('\n', " "),
            key => key.replace('_', " "),
        }
    }
}

/// A value without decoration.
pub fn plain(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(s)) => s.clone(),
        Some(other) => other.to_string(),
    }
}

/// A measured number with four digits or all that stand before the point.
fn measured(value: f64) -> String {
    let whole = value.round();
    if (value == whole || value.abs() >= 1000.0) && whole.abs() < 1e18 {
        let sign = if whole < 0.0 { "-" } else { "" };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and below 2^63")]
        return format!("{sign}{}", thousands(whole.abs() as u64));
    }
    let decimals = [10.0, 100.0, 1000.0].iter().filter(|limit| value.abs() < **limit).count();
    format!("{value:.decimals$}")
}

/// `1234567` as `1,234,567`.
fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_have_the_decimals_that_they_have() {
        let shown = |column: Column, value: Value| column.shown(Some(&value));
        let cycles = Column::kept("cycles");
        assert_eq!(shown(cycles, json!(28.0)), "28");
        assert_eq!(shown(cycles, json!(212.416)), "212.4");
        assert_eq!(shown(cycles, json!(2.5)), "2.500");
        assert_eq!(shown(cycles, json!(6_638_726.524)), "6,638,727");
        assert_eq!(shown(cycles, json!(-1500.4)), "-1,500");
        assert_eq!(shown(cycles, json!(1_234_567)), "1,234,567");
        assert_eq!(shown(cycles, json!(-3)), "-3");
        assert_eq!(shown(Column::kept("ipc").fraction(), json!(1.0)), "1.000");
        assert_eq!(shown(cycles, Value::Null), "–");
        assert_eq!(shown(cycles, json!(false)), "NO");
        assert_eq!((thousands(0), thousands(1000)), ("0".to_owned(), "1,000".to_owned()));
    }
}
