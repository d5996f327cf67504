//! Small expressions over names: event widths, values that follow a preset, rules between parameters.
//!
//! Integers, texts in single quotes, names, `+ - * / %`, comparisons, `&& || !`, `clog2(x)` and
//! parentheses. A comparison is 1 where it holds and 0 where it does not.

mod parse;

use std::fmt;

use serde::Deserialize;

/// A value that a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number; `true` is 1 and `false` 0.
    Number(i64),
    /// A text, which can only be compared.
    Text(String),
}

impl Value {
    /// The number, of one that is no text.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => write!(f, "'{text}'"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    /// As it is written, here and in SystemVerilog.
    fn text(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::LessEqual => "<=",
            Self::Less => "<",
            Self::GreaterEqual => ">=",
            Self::Greater => ">",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Value(Value),
    Name(String),
    Negative(Box<Node>),
    Not(Box<Node>),
    Clog2(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
}

/// An expression, parsed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Formula {
    text: String,
    root: Node,
}

/// How a manifest writes a formula.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a number or a formula in quotes is expected")]
enum Written {
    Number(i64),
    Text(String),
}

impl TryFrom<Written> for Formula {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Number(number) => Ok(Self::number(number)),
            Written::Text(text) => text.parse(),
        }
    }
}

impl std::str::FromStr for Formula {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let root = parse::parse(text).map_err(|what| format!("formula '{text}': {what}"))?;
        Ok(Self { text: text.to_owned(), root })
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Formula {
    /// A number.
    #[must_use]
    pub fn number(number: i64) -> Self {
        Self { text: number.to_string(), root: Node::Value(Value::Number(number)) }
    }

    /// All names in it, in the order in which they are written.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.root.names(&mut names);
        names
    }

    /// The number that it is where names have the values that `of` gives.
    ///
    /// # Errors
    /// An unknown name, a text where a number is expected, a division by zero, or a number that is too
    /// large, in words.
    pub fn evaluate(&self, of: &dyn Fn(&str) -> Option<Value>) -> Result<i64, String> {
        self.root.number(of).map_err(|what| format!("formula '{}': {what}", self.text))
    }

    /// As an expression of SystemVerilog, every name written as `rename` does.
    #[must_use]
    pub fn system_verilog(&self, rename: &dyn Fn(&str) -> String) -> String {
        self.root.system_verilog(rename)
    }
}

impl Node {
    fn names<'a>(&'a self, names: &mut Vec<&'a str>) {
        match self {
            Self::Value(_) => {}
            Self::Name(name) => names.push(name),
            Self::Negative(inner) | Self::Not(inner) | Self::Clog2(inner) => inner.names(names),
            Self::Binary(_, left, right) => {
                left.names(names);
                right.names(names);
            }
        }
    }

    fn value(&self, of: &dyn Fn(&str) -> Option<Value>) -> Result<Value, String> {
        match self {
            Self::Value(value) => Ok(value.clone()),
            Self::Name(name) => of(name).ok_or_else(|| format!("'{name}' is no known name")),
            Self::Binary(operator @ (Operator::Equal | Operator::NotEqual), left, right) => {
                let same = match (left.value(of)?, right.value(of)?) {
                    (Value::Number(a), Value::Number(b)) => a == b,
                    (Value::Text(a), Value::Text(b)) => a == b,
                    (a, b) => return Err(format!("{a} cannot be compared with {b}")),
                };
                Ok(Value::Number((same == (*operator == Operator::Equal)).into()))
            }
            _ => self.number(of).map(Value::Number),
        }
    }

    fn number(&self, of: &dyn Fn(&str) -> Option<Value>) -> Result<i64, String> {
        let large = || "a number is too large".to_owned();
        match self {
            Self::Negative(inner) => inner.number(of)?.checked_neg().ok_or_else(large),
            Self::Not(inner) => Ok((inner.number(of)? == 0).into()),
            Self::Clog2(inner) => {
                let number = inner.number(of)?;
                let size = u64::try_from(number).ok().and_then(u64::checked_next_power_of_two);
                size.map(|size| size.trailing_zeros().into()).ok_or_else(|| format!("clog2({number})"))
            }
            Self::Binary(operator, left, right)
                if !matches!(operator, Operator::Equal | Operator::NotEqual) =>
            {
                let (a, b) = (left.number(of)?, right.number(of)?);
                match operator {
                    Operator::Or => Ok((a != 0 || b != 0).into()),
                    Operator::And => Ok((a != 0 && b != 0).into()),
                    Operator::LessEqual => Ok((a <= b).into()),
                    Operator::Less => Ok((a < b).into()),
                    Operator::GreaterEqual => Ok((a >= b).into()),
                    Operator::Greater => Ok((a > b).into()),
                    Operator::Add => a.checked_add(b).ok_or_else(large),
                    Operator::Subtract => a.checked_sub(b).ok_or_else(large),
                    Operator::Multiply => a.checked_mul(b).ok_or_else(large),
                    Operator::Divide => a.checked_div(b).ok_or_else(|| format!("{a} / {b}")),
                    Operator::Remainder => a.checked_rem(b).ok_or_else(|| format!("{a} % {b}")),
                    Operator::Equal | Operator::NotEqual => Err("a comparison".to_owned()),
                }
            }
            Self::Value(_) | Self::Name(_) | Self::Binary(..) => match self.value(of)? {
                Value::Number(number) => Ok(number),
                Value::Text(text) => Err(format!("'{text}' is a text: a number is expected")),
            },
        }
    }

    fn system_verilog(&self, rename: &dyn Fn(&str) -> String) -> String {
        let inside = |node: &Self| match node {
            Self::Binary(..) => format!("({})", node.system_verilog(rename)),
            _ => node.system_verilog(rename),
        };
        match self {
            Self::Value(Value::Number(number)) => number.to_string(),
            Self::Value(Value::Text(text)) => format!("\"{text}\""),
            Self::Name(name) => rename(name),
            Self::Negative(inner) => format!("-{}", inside(inner)),
            Self::Not(inner) => format!("!{}", inside(inner)),
            Self::Clog2(inner) => format!("$clog2({})", inner.system_verilog(rename)),
            Self::Binary(operator, left, right) => {
                format!("{} {} {}", inside(left), operator.text(), inside(right))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<Value> {
        match name {
            "banks" => Some(Value::Number(16)),
            "register_file.replacement" => Some(Value::Text("fair".to_owned())),
            _ => None,
        }
    }

    fn value(text: &str) -> Result<i64, String> {
        text.parse::<Formula>()?.evaluate(&of)
    }

    #[test]
    fn formulas_are_evaluated_as_they_are_read() {
        for (text, expected) in [
            ("7", 7),
            ("2 + 3 * 4", 14),
            ("(2 + 3) * 4", 20),
            ("20 - 3 - 2", 15),
            ("banks * clog2(banks + 1)", 80),
            ("clog2(1)", 0),
            ("-banks / 3 % 4", -1),
            ("banks >= 16 && !(banks == 3) || 0", 1),
            ("register_file.replacement == 'fair'", 1),
            ("(register_file.replacement != 'fair') + 1", 1),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused_with_the_reason() {
        for (text, expected) in [
            ("", "a number, a name"),
            ("2 +", "a number, a name"),
            ("(2", "')'"),
            ("2 3", "'3' is left over"),
            ("clog2 3", "'('"),
            ("rows", "'rows' is no known name"),
            ("1 / (banks - 16)", "1 / 0"),
            ("clog2(0 - 1)", "clog2(-1)"),
            ("9223372036854775807 + 1", "too large"),
            ("99999999999999999999", "too large"),
            ("register_file.replacement + 1", "a text"),
            ("banks == 'fair'", "cannot be compared"),
            ("'fair", "no end"),
            ("2 $ 3", "'$ 3' is left over"),
        ] {
            let error = value(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
        let deep = "(".repeat(100_000);
        assert!(value(&deep).is_err_and(|e| e.contains("too deep")));
        assert!(value(&"-".repeat(100_000)).is_err_and(|e| e.contains("too deep")));
        let long = |terms: usize| value(&vec!["1"; terms].join(" + "));
        assert_eq!(long(501), Ok(501));
        assert!(long(1_000_000).is_err_and(|e| e.contains("more than 500 operators")));
    }

    #[test]
    fn system_verilog_means_the_same() {
        let formula: Formula = "(banks - 1) * clog2(banks + 1) % 3".parse().expect("a formula");
        let text = formula.system_verilog(&|name| name.to_uppercase());
        assert_eq!(text, "((BANKS - 1) * $clog2(BANKS + 1)) % 3");
    }
}
