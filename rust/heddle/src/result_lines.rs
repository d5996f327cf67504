//! Files of results: JSON lines, one for each run.

use std::path::Path;

use heddle_files::Input;
use serde_json::{Map, Value};

use crate::Failure;

/// A line of results.
pub struct ResultLine {
    /// Its file and number.
    pub place: String,
    /// What it says.
    pub values: Map<String, Value>,
}

/// The lines of a file but for blank ones; there is one, and each is of a run that passed.
///
/// # Errors
/// A [`Failure::usage`] that names the file, and the line where one is wrong.
pub fn read(path: &Path, file: Input) -> Result<Vec<ResultLine>, Failure> {
    let text = file.text(path).map_err(Failure::usage)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let lines = lines.map(|(index, line)| parse(line, format!("{}:{}", path.display(), index + 1)));
    let lines = lines.collect::<Result<Vec<_>, Failure>>()?;
    if lines.is_empty() {
        let what = "holds no rows; expected JSON lines of results";
        return Err(Failure::usage(format!("{} {what}", path.display())));
    }
    Ok(lines)
}

fn parse(line: &str, place: String) -> Result<ResultLine, Failure> {
    let value: Value =
        serde_json::from_str(line).map_err(|e| Failure::usage(format!("{place}: not JSON: {e}")))?;
    let Value::Object(values) = value else {
        return Err(Failure::usage(format!("{place}: expected a JSON object")));
    };
    expect_passed(&values).map_err(|what| Failure::usage(format!("{place}: {what}")))?;
    Ok(ResultLine { place, values })
}

/// Refuses the row of a run that did not pass. Rows of parts of a run do not say whether it did.
fn expect_passed(values: &Map<String, Value>) -> Result<(), String> {
    match values.get("ok") {
        None | Some(Value::Bool(true)) => Ok(()),
        Some(ok) => {
            let name = |key: &str| values.get(key).and_then(Value::as_str).unwrap_or("unknown");
            let (kernel, design) = (name("kernel"), name("design"));
            Err(format!(
                "the run of kernel {kernel} on design {design} did not pass (ok = {ok}); expected runs that passed"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn rows_of_runs_that_passed_and_of_parts_are_taken() {
        let ok = |ok: &str| {
            let line = format!("{{\"design\": \"ltrf\", \"kernel\": \"bfs\"{ok}}}");
            parse(&line, "a.jsonl:7".to_owned()).map(|line| line.place).map_err(|f| f.message)
        };
        assert_eq!(ok(""), Ok("a.jsonl:7".to_owned()));
        assert_eq!(ok(", \"ok\": true"), Ok("a.jsonl:7".to_owned()));
        for value in ["false", "null", "1"] {
            let refused = ok(&format!(", \"ok\": {value}")).expect_err("refused");
            let expected = format!(
                "a.jsonl:7: the run of kernel bfs on design ltrf did not pass (ok = {value}); expected runs"
            );
            assert!(refused.starts_with(&expected), "{refused}");
        }
    }
}
