//! From text to an expression, by recursive descent.

use super::{Node, Operator, Value};

/// Nested parts that an expression may have.
const DEPTH: usize = 64;

/// Operators between two parts that an expression may have: a row of them nests as deep as it is long.
const OPERATORS: usize = 500;

/// Operators by rising strength; those of one row go from left to right.
const ROWS: [&[Operator]; 5] = [
    &[Operator::Or],
    &[Operator::And],
    &[
        Operator::Equal,
        Operator::NotEqual,
        Operator::LessEqual,
        Operator::Less,
        Operator::GreaterEqual,
        Operator::Greater,
    ],
    &[Operator::Add, Operator::Subtract],
    &[Operator::Multiply, Operator::Divide, Operator::Remainder],
];

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
    operators: usize,
}

/// The expression that `text` is, or what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Node, String> {
    let mut parser = Parser { rest: text.trim(), depth: 0, operators: 0 };
    let node = parser.binary(0)?;
    if parser.rest.is_empty() { Ok(node) } else { Err(format!("'{}' is left over", parser.rest)) }
}

impl<'a> Parser<'a> {
    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn take_while(&mut self, belongs: fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word
    }

    /// What is expected, and what there is.
    fn expected(&self, what: &str) -> String {
        match self.rest.chars().next() {
            Some(c) => format!("{what} is expected before '{c}'"),
            None => format!("{what} is expected at the end"),
        }
    }

    fn binary(&mut self, row: usize) -> Result<Node, String> {
        let Some(operators) = ROWS.get(row) else { return self.unary() };
        let mut left = self.binary(row + 1)?;
        while let Some(&operator) = operators.iter().find(|o| self.rest.starts_with(o.text())) {
            self.take(operator.text());
            self.operators += 1;
            if self.operators > OPERATORS {
                return Err(format!("it has more than {OPERATORS} operators"));
            }
            let right = self.binary(row + 1)?;
            left = Node::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("it is nested too deep".to_owned());
        }
        let node = if self.take("-") {
            Node::Negative(Box::new(self.unary()?))
        } else if self.take("!") {
            Node::Not(Box::new(self.unary()?))
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn in_parentheses(&mut self) -> Result<Node, String> {
        if !self.take("(") {
            return Err(self.expected("'('"));
        }
        let node = self.binary(0)?;
        if self.take(")") { Ok(node) } else { Err(self.expected("')'")) }
    }

    fn primary(&mut self) -> Result<Node, String> {
        match self.rest.chars().next() {
            Some('(') => self.in_parentheses(),
            Some('\'') => {
                let text = &self.rest[1..];
                let (text, rest) = text.split_once('\'').ok_or_else(|| format!("'{text} has no end"))?;
                self.rest = rest.trim_start();
                Ok(Node::Value(Value::Text(text.to_owned())))
            }
            Some(c) if c.is_ascii_digit() => {
                let digits = self.take_while(|c| c.is_ascii_digit());
                let number = digits.parse().map_err(|_| format!("{digits} is too large"))?;
                Ok(Node::Value(Value::Number(number)))
            }
            Some(c) if c.is_ascii_lowercase() => {
                let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
                if name == "clog2" {
                    return Ok(Node::Clog2(Box::new(self.in_parentheses()?)));
                }
                Ok(Node::Name(name.to_owned()))
            }
            _ => Err(self.expected("a number, a name or '('")),
        }
    }
}
