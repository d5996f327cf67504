//! The text that a program came from.

use crate::operand::Loc;

/// The PTX text that a program came from: one file, or several that are linked, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Name of the (first) file as the user gave it.
    pub name: String,
    /// Whole text.
    pub text: String,
    /// Names of the further files, and the line of `text` before the first of each.
    further: Vec<(String, u32)>,
}

impl SourceFile {
    /// One file.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), further: Vec::new() }
    }

    /// Several files, names and texts, and the byte of the joined text at which each begins.
    #[must_use]
    pub fn joined(files: &[(String, String)]) -> (Self, Vec<usize>) {
        let (mut joined, mut starts) = (Self::new("", ""), Vec::new());
        let mut lines = 0_u32;
        for (index, (name, text)) in files.iter().enumerate() {
            starts.push(joined.text.len());
            match index {
                0 => joined.name.clone_from(name),
                _ => joined.further.push((name.clone(), lines)),
            }
            joined.text.push_str(text);
            if !text.ends_with('\n') {
                joined.text.push('\n');
            }
            let added = joined.text[starts[index]..].matches('\n').count();
            lines = lines.saturating_add(u32::try_from(added).unwrap_or(u32::MAX));
        }
        (joined, starts)
    }

    /// The file of a place of the text, and the place in it.
    #[must_use]
    pub fn place(&self, loc: Loc) -> (&str, Loc) {
        let found = self.further.iter().rev().find(|(_, before)| loc.line > *before);
        found.map_or((self.name.as_str(), loc), |(name, before)| {
            (name.as_str(), Loc { line: loc.line - before, ..loc })
        })
    }

    /// A place of the text as `file:line:column`.
    #[must_use]
    pub fn spelt(&self, loc: Loc) -> String {
        let (name, loc) = self.place(loc);
        format!("{name}:{loc}")
    }

    /// Whether it is more than one file.
    #[must_use]
    pub fn is_joined(&self) -> bool {
        !self.further.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_joined_files_are_those_of_the_files() {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let files = [file("a", "1\n2\n"), file("b", ""), file("c", "1\n2"), file("d", "x\n")];
        let (source, starts) = SourceFile::joined(&files);
        assert_eq!((source.text.as_str(), &starts[..]), ("1\n2\n\n1\n2\nx\n", &[0, 4, 5, 9][..]));
        let at = |line| source.spelt(Loc { line, column: 7 });
        let places: Vec<String> = (1..=6).map(at).collect();
        assert_eq!(places, ["a:1:7", "a:2:7", "b:1:7", "c:1:7", "c:2:7", "d:1:7"]);
        assert_eq!(SourceFile::new("a", "1\n").spelt(Loc { line: 9, column: 1 }), "a:9:1");
    }
}
