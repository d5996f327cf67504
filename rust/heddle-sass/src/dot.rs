//! The part of the DOT language that nvdisasm writes: nodes with labels and edges with ports, in subgraphs.
//!
//! Grammar: Graphviz, "DOT Language". Attributes other than `label` are read over; HTML strings, `+` between strings
//! and undirected edges do not occur and are refused.

use std::collections::HashSet;

use crate::error::Fault;

/// A fault and the byte where it is.
pub type At<T> = Result<T, (usize, Fault)>;

/// A node as it stands in the text.
#[derive(Debug)]
pub struct Node<'a> {
    pub name: &'a str,
    /// Its label, still escaped.
    pub label: &'a str,
    /// Byte where the label begins.
    pub at: usize,
}

/// One end of an edge, or a node with attributes.
#[derive(Debug, Clone, Copy)]
pub struct End<'a> {
    pub node: &'a str,
    pub port: Option<&'a str>,
    pub compass: Option<&'a str>,
    pub at: usize,
}

/// An edge.
#[derive(Debug)]
pub struct Edge<'a> {
    pub from: End<'a>,
    pub to: End<'a>,
}

/// The nodes and edges of one subgraph, or those outside of all.
#[derive(Debug, Default)]
pub struct Cluster<'a> {
    pub name: &'a str,
    pub nodes: Vec<Node<'a>>,
    pub edges: Vec<Edge<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    /// A name, a number or a string without its quotes.
    Id(&'a str),
    Arrow,
    Sign(char),
    End,
}

struct Lexer<'a> {
    text: &'a str,
    next: usize,
    /// The token under consideration and its byte.
    token: Token<'a>,
    at: usize,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.next..).unwrap_or_default()
    }

    /// Reads over `part`, and the byte where it begins.
    fn take(&mut self, length: usize) -> &'a str {
        let from = self.next;
        self.next = (from + length).min(self.text.len());
        self.text.get(from..self.next).unwrap_or_default()
    }

    fn skip(&mut self) -> At<()> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let comment = &rest[blank..];
            let length = if comment.starts_with("//") || comment.starts_with('#') {
                comment.find('\n').unwrap_or(comment.len())
            } else if comment.starts_with("/*") {
                let end =
                    comment.find("*/").ok_or_else(|| self.fault_at(self.next + blank, "'*/'", "the end"))?;
                end + 2
            } else {
                0
            };
            self.take(blank + length);
            if length == 0 {
                return Ok(());
            }
        }
    }

    fn fault_at(&self, at: usize, expected: &'static str, found: &str) -> (usize, Fault) {
        (at, Fault::Dot { expected, found: found.to_owned() })
    }

    fn advance(&mut self) -> At<()> {
        self.skip()?;
        self.at = self.next;
        let rest = self.rest();
        self.token = match rest.chars().next() {
            None => Token::End,
            Some('"') => {
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                let end =
                    end.ok_or_else(|| self.fault_at(self.at, "'\"' at the end of a string", "the end"))?;
                self.at += 1;
                Token::Id(&self.take(end + 2)[1..=end])
            }
            Some('-') if rest.starts_with("->") => {
                self.take(2);
                Token::Arrow
            }
            Some(c) if is_word(c) => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                Token::Id(self.take(length))
            }
            Some(c) if "{}[]=;,:".contains(c) => {
                self.take(1);
                Token::Sign(c)
            }
            Some(c) => {
                return Err(self.fault_at(self.at, "a name, a string or a sign of DOT", &format!("'{c}'")));
            }
        };
        Ok(())
    }

    fn fault<T>(&self, expected: &'static str) -> At<T> {
        let found = match self.token {
            Token::Id(name) => format!("'{}'", name.chars().take(40).collect::<String>()),
            Token::Arrow => "'->'".to_owned(),
            Token::Sign(c) => format!("'{c}'"),
            Token::End => "the end of the file".to_owned(),
        };
        Err((self.at, Fault::Dot { expected, found }))
    }

    fn is(&mut self, sign: char) -> At<bool> {
        let found = self.token == Token::Sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn id(&mut self, expected: &'static str) -> At<(&'a str, usize)> {
        match self.token {
            Token::Id(name) => {
                let at = self.at;
                self.advance()?;
                Ok((name, at))
            }
            _ => self.fault(expected),
        }
    }

    fn end(&mut self) -> At<End<'a>> {
        let (node, at) = self.id("a node")?;
        let mut end = End { node, port: None, compass: None, at };
        if self.is(':')? {
            end.port = Some(self.id("a port")?.0);
        }
        if self.is(':')? {
            end.compass = Some(self.id("a side: n, e, s or w")?.0);
        }
        Ok(end)
    }

    /// Attribute lists; the label and its byte, if there is one.
    fn attributes(&mut self) -> At<Option<(&'a str, usize)>> {
        let mut label = None;
        while self.is('[')? {
            while !self.is(']')? {
                let (key, at) = self.id("an attribute or ']'")?;
                if self.is('=')? {
                    let value = self.id("a value")?;
                    if key == "label" && label.replace(value).is_some() {
                        return Err((at, Fault::SecondLabel));
                    }
                }
                let _ = self.is(',')? || self.is(';')?;
            }
        }
        Ok(label)
    }
}

/// Reads a graph: first what lies outside of all subgraphs, then the subgraphs in the order of the text.
pub fn parse(text: &str) -> At<Vec<Cluster<'_>>> {
    let mut lexer = Lexer { text, next: 0, token: Token::End, at: 0 };
    lexer.advance()?;
    if lexer.token == Token::Id("strict") {
        lexer.advance()?;
    }
    if lexer.token != Token::Id("digraph") {
        return lexer.fault("'digraph'");
    }
    lexer.advance()?;
    if let Token::Id(_) = lexer.token {
        lexer.advance()?;
    }
    if !lexer.is('{')? {
        return lexer.fault("'{'");
    }
    let mut clusters = vec![Cluster::default()];
    let mut names = HashSet::new();
    let mut open = vec![0];
    while let Some(&current) = open.last() {
        if lexer.is('}')? {
            open.pop();
        } else if lexer.is(';')? {
        } else if lexer.token == Token::Id("subgraph") || lexer.token == Token::Sign('{') {
            let mut name = "";
            if lexer.token == Token::Id("subgraph") {
                lexer.advance()?;
                if let Token::Id(found) = lexer.token {
                    name = found;
                    if !name.is_empty() && !names.insert(name) {
                        return Err((lexer.at, Fault::SecondCluster { name: name.to_owned() }));
                    }
                    lexer.advance()?;
                }
            }
            if !lexer.is('{')? {
                return lexer.fault("'{'");
            }
            open.push(clusters.len());
            clusters.push(Cluster { name, ..Cluster::default() });
        } else {
            statement(&mut lexer, &mut clusters[current])?;
        }
    }
    if lexer.token != Token::End {
        return lexer.fault("the end of the file behind the graph");
    }
    Ok(clusters)
}

/// A node, an edge, or attributes of all.
fn statement<'a>(lexer: &mut Lexer<'a>, cluster: &mut Cluster<'a>) -> At<()> {
    if let Token::Id("node" | "edge" | "graph") = lexer.token {
        lexer.advance()?;
        return lexer.attributes().map(|_| ());
    }
    let mut from = lexer.end()?;
    if lexer.is('=')? {
        return lexer.id("a value").map(|_| ());
    }
    let mut edges = 0;
    while lexer.token == Token::Arrow {
        lexer.advance()?;
        let to = lexer.end()?;
        cluster.edges.push(Edge { from, to });
        from = to;
        edges += 1;
    }
    let label = lexer.attributes()?;
    if let (0, Some((label, at))) = (edges, label) {
        cluster.nodes.push(Node { name: from.node, label, at });
    }
    Ok(())
}
