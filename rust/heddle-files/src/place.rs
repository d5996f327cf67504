//! Places in texts.

/// Line and column of the character at byte `offset` of a text, both from 1, the column in characters; the end of the text
/// for an offset beyond it.
#[must_use]
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    (line, before.rsplit('\n').next().unwrap_or_default().chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::line_and_column;

    #[test]
    fn columns_are_characters_and_begin_anew_in_each_line() {
        let text = "a\nbäc\n";
        let places: Vec<_> =
            [0, 1, 2, 5, 99].into_iter().map(|offset| line_and_column(text, offset)).collect();
        assert_eq!(places, [(1, 1), (1, 2), (2, 1), (2, 3), (3, 1)]);
    }
}
