//! A launch file to begin with.

use std::fmt::Write;

use heddle_isa::{Param, Program};

/// Elements of the buffers that a template proposes.
const ELEMENTS: u32 = 1024;

/// A launch file for `program` that a user can fill in: one `[[args]]` table for each parameter, typed as
/// the PTX declares it, 64-bit integers taken for addresses.
#[must_use]
pub fn launch_template(program: &Program) -> String {
    let mut text = format!(
        "# Launch of '{}' from {}. Sizes and values are proposals.\n\
         entry = {}\n\
         grid = [4, 1, 1]\n\
         block = [256, 1, 1]\n\
         dynamic_shared_bytes = 0\n",
        program.name,
        program.source.name.replace(['\n', '\r'], " "),
        toml::Value::from(program.name.as_str()),
    );
    for param in &program.params {
        let declared = declared_type(program, param);
        let name = toml::Value::from(param.name.as_str());
        // Writing to a String cannot fail.
        let _ = write!(text, "\n[[args]]\nname = {name}\n");
        let _ = match (declared.as_str(), param.bytes) {
            ("f64", _) => writeln!(text, "type = \"f64\"\nvalue = 1.0"),
            ("s64", _) => writeln!(text, "type = \"i64\"\nvalue = {ELEMENTS}"),
            (declared, 8) if declared != "b8" => writeln!(
                text,
                "type = \"f32\"          # elements of the buffer; for a 64-bit scalar: type = \"u64\", value\n\
                 elements = {ELEMENTS}\n\
                 fill = \"random\"        # none, zero, iota, random, file\n\
                 # output = \"{}.bin\"",
                param.name.replace(['"', '\\', '\n'], "_")
            ),
            ("f32", _) => writeln!(text, "type = \"f32\"\nvalue = 1.0"),
            ("s32", _) => writeln!(text, "type = \"i32\"\nvalue = {ELEMENTS}"),
            (_, 4) => writeln!(text, "type = \"u32\"\nvalue = {ELEMENTS}"),
            (_, 2) => writeln!(text, "type = \"u16\"\nvalue = 1"),
            (_, 1) => writeln!(text, "type = \"u8\"\nvalue = 1"),
            (_, bytes) if bytes % 4 == 0 => {
                let zeros = vec!["0"; bytes as usize / 4].join(", ");
                writeln!(text, "type = \"u32\"          # an aggregate of {bytes} bytes\nvalue = [{zeros}]")
            }
            (_, bytes) => {
                let zeros = vec!["0"; bytes as usize].join(", ");
                writeln!(text, "type = \"u8\"           # an aggregate of {bytes} bytes\nvalue = [{zeros}]")
            }
        };
    }
    text
}

/// The type in the declaration `.param .TYPE name`, without its dot; empty when there is none.
fn declared_type(program: &Program, param: &Param) -> String {
    let mut words = program
        .source
        .text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';' | '['))
        .filter(|w| !w.is_empty());
    let mut previous = "";
    words
        .find_map(|word| {
            // The name may also stand in a comment, where no type comes before it.
            if word == param.name && previous.starts_with('.') {
                return Some(previous.trim_start_matches('.').to_owned());
            }
            previous = word;
            None
        })
        .unwrap_or_default()
}
