//! Labels of records: fields with ports, and the lines in them.
//!
//! Graphviz, "Record-based Nodes": `|` parts fields, `<x>` names a port, braces turn the direction, a backslash takes
//! the meaning from what follows it, and `\l` ends a line.

/// A part of a label.
#[derive(Debug, Default)]
pub struct Field<'a> {
    /// Its port.
    pub port: Option<&'a str>,
    /// Its lines without blanks around them, each with the byte of its first character in the label.
    pub lines: Vec<(String, usize)>,
}

/// The fields of a label, in order; at least one.
pub fn fields(label: &str) -> Vec<Field<'_>> {
    let mut fields = vec![Field::default()];
    let mut line = (String::new(), 0);
    let mut characters = label.char_indices();
    while let Some((at, c)) = characters.next() {
        let letter = match c {
            '\\' => match characters.next() {
                Some((_, 'l' | 'n' | 'r')) => {
                    end_line(&mut fields, &mut line);
                    continue;
                }
                // A backslash at the end of a line of the file joins it with the next.
                Some((_, '\n' | '\r')) => continue,
                Some((_, escaped)) => escaped,
                None => continue,
            },
            '{' | '}' => continue,
            '|' => {
                end_line(&mut fields, &mut line);
                fields.push(Field::default());
                continue;
            }
            '<' => {
                let rest = &label[at + 1..];
                let length = rest.find('>').unwrap_or(rest.len());
                if let Some(field) = fields.last_mut() {
                    field.port = Some(rest[..length].trim());
                }
                let _ = characters.find(|(_, c)| *c == '>');
                continue;
            }
            c => c,
        };
        if line.0.is_empty() && letter.is_whitespace() {
            continue;
        }
        if line.0.is_empty() {
            line.1 = at;
        }
        line.0.push(letter);
    }
    end_line(&mut fields, &mut line);
    fields
}

fn end_line(fields: &mut [Field<'_>], line: &mut (String, usize)) {
    let (text, at) = std::mem::take(line);
    let text = text.trim_end();
    if let (false, Some(field)) = (text.is_empty(), fields.last_mut()) {
        field.lines.push((text.to_owned(), at));
    }
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[test]
    fn fields_have_ports_and_lines_without_escapes() {
        let found = fields(r"{<entry>k:\l\ \ A\ \{\[R1\]\}\ ;\l|<exit0>B\<\|\>\l|C}");
        let lines: Vec<(Option<&str>, Vec<&str>)> =
            found.iter().map(|f| (f.port, f.lines.iter().map(|(text, _)| text.as_str()).collect())).collect();
        let expected =
            [(Some("entry"), vec!["k:", "A {[R1]} ;"]), (Some("exit0"), vec!["B<|>"]), (None, vec!["C"])];
        assert_eq!(lines, expected);
        assert_eq!(found[0].lines[1].1, 16);
    }

    #[test]
    fn an_open_port_and_a_last_backslash_end_the_label() {
        assert_eq!(fields("a|<x").len(), 2);
        assert_eq!(fields("a\\")[0].lines[0].0, "a");
    }
}
