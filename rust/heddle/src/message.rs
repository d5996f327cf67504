//! Messages to the user.

use std::io::Write as _;

/// Prints a message to standard error; a reader that went away is no failure.
pub fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "heddle: {}", shown(message.trim_end()));
}

/// A message as a terminal may get it: a control character that it quotes of a file or an argument is spelled out.
fn shown(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for character in message.chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn what_would_steer_a_terminal_is_spelled_out() {
        assert_eq!(shown("a\tb\n\u{e4} c"), "a\tb\n\u{e4} c");
        assert_eq!(shown("\x1b[31mred\r\x07\u{9b}"), "\\u{1b}[31mred\\r\\u{7}\\u{9b}");
    }
}
