//! Tables that fit a terminal without breaking a number or a name.
//!
//! A table that is too wide first has its texts go on in further lines, then loses columns by rank, which a line
//! below it names. What does not fit even so is printed as one record a row.

use crate::column::Column;

/// Characters that a text keeps beside further columns.
const COMFORTABLE: usize = 30;

/// A table before it is laid out: columns, whether they hold numbers, and rows of cells.
pub struct Table {
    pub columns: Vec<Column>,
    pub numeric: Vec<bool>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table in at most `width` characters a line, where there is a limit. Without one texts go on in
    /// further lines so that it takes `texts` characters if it can.
    pub fn text(&self, width: Option<usize>, texts: usize) -> String {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let Some(width) = width else {
            let widths = self.shrunk(&all, texts, COMFORTABLE);
            return self.draw(&all, &widths);
        };
        let mut kept = all;
        loop {
            let widths = self.shrunk(&kept, width.min(texts), COMFORTABLE);
            if total(&widths) <= width {
                return self.draw(&kept, &widths) + &self.left_out(&kept, width);
            }
            let last = (0..kept.len()).max_by_key(|&at| (self.columns[kept[at]].rank, at));
            match last.filter(|&at| self.columns[kept[at]].rank > 0) {
                Some(at) => kept.remove(at),
                None => break,
            };
        }
        let widths = self.shrunk(&kept, width, 0);
        if total(&widths) <= width {
            return self.draw(&kept, &widths) + &self.left_out(&kept, width);
        }
        self.records()
    }

    /// Widths of the columns `kept`; texts are narrowed, to no less than `least` and their longest word, until
    /// the table takes `goal` characters.
    fn shrunk(&self, kept: &[usize], goal: usize, least: usize) -> Vec<usize> {
        let natural = |&column: &usize| {
            let heading = self.columns[column].heading();
            let cells = self.rows.iter().map(|row| row[column].as_str());
            cells.chain([heading.as_str()]).flat_map(str::lines).map(length).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = kept.iter().map(natural).collect();
        let longest_word = |column: usize| {
            let words = self.rows.iter().flat_map(|row| row[column].split_whitespace());
            words.map(length).max().unwrap_or(0).max(least)
        };
        while total(&widths) > goal {
            let over = total(&widths) - goal;
            let can = |at: &usize| {
                let column = kept[*at];
                self.columns[column].wraps() && widths[*at] > longest_word(column)
            };
            let Some(at) = (0..kept.len()).filter(can).max_by_key(|&at| widths[at]) else { break };
            // Down to the next widest text, so that several share what is lacking.
            let next = (0..kept.len()).filter(|&o| o != at && self.columns[kept[o]].wraps());
            let next = next.map(|o| widths[o]).filter(|&w| w < widths[at]).max().unwrap_or(0);
            let floor = longest_word(kept[at]).max(widths[at].saturating_sub(over));
            widths[at] = floor.max(next.min(widths[at] - 1));
        }
        widths
    }

    fn draw(&self, kept: &[usize], widths: &[usize]) -> String {
        let inner = total(widths) - 2;
        let rule = |left: &str, line: &str, right: &str| format!("{left}{}{right}\n", line.repeat(inner));
        let mut text = rule("┌", "─", "┐");
        let headings: Vec<String> = self.columns.iter().map(|c| c.heading()).collect();
        self.draw_row(&headings, kept, widths, &mut text);
        text.push_str(&rule("╞", "═", "╡"));
        for row in &self.rows {
            self.draw_row(row, kept, widths, &mut text);
        }
        text + &rule("└", "─", "┘")
    }

    fn draw_row(&self, cells: &[String], kept: &[usize], widths: &[usize], text: &mut String) {
        let lines: Vec<Vec<String>> = kept
            .iter()
            .zip(widths)
            .map(|(&column, &width)| {
                let lines = cells[column].lines();
                if self.columns[column].wraps() {
                    lines.flat_map(|line| wrapped(line, width)).collect()
                } else {
                    lines.map(str::to_owned).collect()
                }
            })
            .collect();
        for line in 0..lines.iter().map(Vec::len).max().unwrap_or(0) {
            let mut parts = Vec::new();
            for ((cell, &width), &column) in lines.iter().zip(widths).zip(kept) {
                let part = cell.get(line).map_or("", String::as_str);
                let space = " ".repeat(width.saturating_sub(length(part)));
                parts.push(if self.numeric[column] { space + part } else { part.to_owned() + &space });
            }
            text.push_str(&format!("│{}│\n", parts.join(" ")));
        }
    }

    /// A line that names the columns that are not in `kept`, if there are any.
    fn left_out(&self, kept: &[usize], width: usize) -> String {
        let missing = (0..self.columns.len()).filter(|column| !kept.contains(column));
        let names: Vec<String> = missing.map(|column| self.columns[column].name()).collect();
        if names.is_empty() {
            return String::new();
        }
        let what = format!("left out at {width} columns: {}; --format json has them", names.join(", "));
        wrapped(&what, width).iter().map(|line| format!("{line}\n")).collect()
    }

    /// One record a row: a line for each column.
    fn records(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|c| c.name()).collect();
        let widest = names.iter().map(|n| length(n)).max().unwrap_or(0);
        let record = |row: &Vec<String>| {
            let lines = names.iter().zip(row).map(|(name, cell)| {
                let space = " ".repeat(widest - length(name));
                format!("{name}{space}  {}\n", cell.lines().map(str::trim).collect::<Vec<_>>().join(", "))
            });
            lines.collect::<String>()
        };
        self.rows.iter().map(record).collect::<Vec<_>>().join("\n")
    }
}

/// Characters of a table with columns of these widths: a space between two, and the borders.
fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + widths.len().saturating_sub(1) + 2
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// A line in lines of at most `width` characters, broken between words.
pub fn wrapped(line: &str, width: usize) -> Vec<String> {
    if length(line) <= width {
        return vec![line.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match lines.last_mut().filter(|last| length(last) + 1 + length(word) <= width) {
            Some(last) => *last = format!("{last} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let columns = vec![
            Column::kept("kernel"),
            Column::kept("cycles"),
            Column::ranked("what", 1).text(),
            Column::ranked("operands_compared", 3),
            Column::ranked("words", 2),
        ];
        let row = |cells: [&str; 5]| cells.map(str::to_owned).to_vec();
        let rows = vec![
            row(["mri-gridding", "1,009,152", "a text with quite some words in it, for breaking", "7", "9"]),
            row(["bfs", "8", "short", "1,234,567,890", "–"]),
        ];
        Table { columns, numeric: vec![false, true, false, true, true], rows }
    }

    fn widest(text: &str) -> usize {
        text.lines().map(length).max().unwrap_or(0)
    }

    /// Whatever the width, no line is wider, and every cell that is shown is there whole.
    #[test]
    fn no_number_and_no_name_is_broken_at_any_width() {
        for width in 24..140 {
            let text = table().text(Some(width), usize::MAX);
            let records = !text.starts_with('┌');
            // A record's line can be wider than the terminal: it is not broken either.
            assert!(records || widest(&text) <= width, "{width}:\n{text}");
            assert!(text.contains("mri-gridding") && text.contains("1,009,152"), "{width}:\n{text}");
            let left_out = text.contains("left out at ");
            for (part, name) in [("1,234,567,890", "operands compared"), ("short", "what"), ("9", "words")] {
                let named = left_out && text.replace('\n', " ").contains(name);
                assert!(text.contains(part) || named, "{width}: {part}\n{text}");
            }
        }
    }

    #[test]
    fn columns_go_by_rank_and_are_named() {
        let line = |width| {
            let text = table().text(Some(width), usize::MAX);
            text.lines()
                .filter(|l| !"┌│╞└".contains(&l[..3]))
                .map(|l| l.to_owned() + "\n")
                .collect::<String>()
        };
        assert_eq!(line(130), "");
        assert_eq!(line(72), "left out at 72 columns: operands compared; --format json has them\n");
        let text = line(30);
        assert!(text.starts_with("left out at 30 columns: what,\n"), "{text}");
        let records = table().text(Some(20), usize::MAX);
        let first = "kernel             mri-gridding\ncycles             1,009,152\n";
        assert!(records.starts_with(first) && records.contains("\n\nkernel "), "{records}");
    }

    #[test]
    fn texts_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("  kept as it is", 20), ["  kept as it is"]);
        assert_eq!(wrapped("unbreakable", 3), ["unbreakable"]);
        let text = table().text(None, 66);
        assert!(text.contains("1,234,567,890") && text.contains("│             "), "{text}");
    }
}
