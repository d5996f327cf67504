//! Reads the packed structs and parameters of `rtl/common/heddle_port_pkg.sv` into Rust constants,
//! against which the crate checks its own structs at compile time.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let package = root.join("../../rtl/common/heddle_port_pkg.sv");
    println!("cargo:rerun-if-changed={}", package.display());
    let text = std::fs::read_to_string(&package)
        .unwrap_or_else(|e| panic!("cannot read {}: {e}", package.display()));
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo")).join("sv_layout.rs");
    std::fs::write(&out, translate(&text)).unwrap_or_else(|e| panic!("cannot write {}: {e}", out.display()));
}

fn translate(text: &str) -> String {
    let text: String =
        text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut parameters: HashMap<String, u64> = HashMap::new();
    let mut constants = String::new();
    let mut structs = String::new();
    for statement in split_statements(&text) {
        if let Some(rest) = statement.strip_prefix("localparam int unsigned ") {
            let (name, value) = rest.split_once('=').unwrap_or_else(|| panic!("no '=' in: {statement}"));
            let value = evaluate(value, &parameters);
            parameters.insert(name.trim().to_owned(), value);
            writeln!(constants, "#[allow(non_upper_case_globals)] pub const {}: u64 = {value};", name.trim())
                .unwrap();
        } else if let Some(rest) = statement.strip_prefix("typedef struct packed {") {
            let (body, name) = rest.split_once('}').unwrap_or_else(|| panic!("no '}}' in: {statement}"));
            write!(structs, "({:?}, &[", name.trim()).unwrap();
            for field in body.split(';').map(str::trim).filter(|f| !f.is_empty()) {
                let (name, elements, width) = parse_field(field, &parameters);
                write!(structs, "FieldLayout {{ name: {name:?}, elements: {elements}, width: {width} }},")
                    .unwrap();
            }
            structs.push_str("]),\n");
        } else if let Some(rest) = statement.strip_prefix("typedef enum logic") {
            let body = rest.split_once('{').and_then(|(_, b)| b.split_once('}')).map_or("", |(b, _)| b);
            for item in body.split(',') {
                let (name, value) =
                    item.split_once('=').unwrap_or_else(|| panic!("no '=' in enum item: {item}"));
                let digits = value.rsplit("'d").next().unwrap_or("").trim();
                writeln!(
                    constants,
                    "#[allow(non_upper_case_globals)] pub const {}: u64 = {digits};",
                    name.trim()
                )
                .unwrap();
            }
        }
    }
    format!("{constants}pub const STRUCTS: &[(&str, &[FieldLayout])] = &[\n{structs}];\n")
}

/// Statements end at a `;` outside braces.
fn split_statements(text: &str) -> Vec<String> {
    let (mut out, mut current, mut depth) = (Vec::new(), String::new(), 0);
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                out.push(current.split_whitespace().collect::<Vec<_>>().join(" "));
                current.clear();
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    out
}

/// `logic [a:0][b:0] name` gives name, elements and bits an element.
fn parse_field(field: &str, parameters: &HashMap<String, u64>) -> (String, u64, u64) {
    let rest = field.strip_prefix("logic").unwrap_or_else(|| panic!("port fields are logic: {field}"));
    let name = rest.rsplit(|c: char| c.is_whitespace() || c == ']').next().unwrap_or("").to_owned();
    let mut dims: Vec<u64> = rest
        .split('[')
        .skip(1)
        .map(|d| {
            let high = d.split(':').next().unwrap_or("");
            evaluate(high, parameters) + 1
        })
        .collect();
    let width = dims.pop().unwrap_or(1);
    (name, dims.iter().product(), width)
}

/// Sums and differences of integers and parameters.
fn evaluate(expression: &str, parameters: &HashMap<String, u64>) -> u64 {
    let mut value: i64 = 0;
    let mut sign = 1;
    for token in expression.replace('+', " + ").replace('-', " - ").split_whitespace() {
        match token {
            "+" => sign = 1,
            "-" => sign = -1,
            word => {
                let term = word.parse::<u64>().ok().or_else(|| parameters.get(word).copied());
                value += sign * term.unwrap_or_else(|| panic!("unknown name {word} in {expression}")) as i64;
            }
        }
    }
    u64::try_from(value).unwrap_or_else(|_| panic!("{expression} is negative"))
}
