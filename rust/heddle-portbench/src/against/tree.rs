//! What is read of the other tree: manifest and port package, as little of them as is needed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::AgainstError;

/// Slots of a port in an elaboration that does not say.
const USUAL_WIDTH: i64 = 2;

/// A range of bits of the other tree's event vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherEvent {
    /// Name.
    pub name: String,
    /// Lowest bit.
    pub lsb: u32,
    /// Number of bits.
    pub width: u32,
}

/// A design of the other tree.
#[derive(Debug, Clone)]
pub struct OtherDesign {
    /// Name, that of its folder.
    pub name: String,
    /// Top module.
    pub top: String,
    /// Its SystemVerilog files in order, relative to the tree.
    pub sources: Vec<PathBuf>,
    /// Whether the top has the memory port.
    pub memory_port: bool,
    /// Names and parameters of its elaborations, by their names in the RTL, the widths of the port among them.
    pub elaborations: Vec<(String, BTreeMap<String, i64>)>,
    /// Its events.
    pub events: Vec<OtherEvent>,
    /// Names and bits of the fields of `config_t`.
    pub config: Vec<(String, u32)>,
    /// Names and bits of the fields of `status_t`.
    pub status: Vec<(String, u32)>,
    /// The folder of the tree.
    pub folder: PathBuf,
}

impl OtherDesign {
    /// Reads a design of the tree in `folder`.
    ///
    /// # Errors
    /// [`AgainstError::File`], or [`AgainstError::Form`] with what is not as expected.
    pub fn read(folder: &Path, name: &str) -> Result<Self, AgainstError> {
        let path = folder.join("rtl").join(name).join("design.toml");
        let text = read(&path)?;
        let form = |what: String| AgainstError::Form { path: path.clone(), what };
        let file: toml::Table = text.parse().map_err(|e: toml::de::Error| form(e.to_string()))?;
        let design = table(&file, "design").map_err(form)?;
        let list = |table: &toml::Table, key: &str| {
            table.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default()
        };
        let inside = Path::new("rtl").join(name);
        let mut sources = Vec::new();
        for source in list(design, "sources") {
            let source =
                source.as_str().ok_or_else(|| form("design.sources: texts are expected".to_owned()))?;
            sources.push(without_parents(&inside.join(source)));
        }
        let mut elaborations = Vec::new();
        for entry in list(&file, "elaborations") {
            let parameters = entry.get("parameters").and_then(toml::Value::as_table);
            let numbers =
                parameters.into_iter().flatten().filter_map(|(k, v)| Some((k.clone(), v.as_integer()?)));
            let mut numbers: BTreeMap<String, i64> = numbers.collect();
            for width in ["IssueWidth", "ResultWidth"] {
                numbers.entry(width.to_owned()).or_insert(USUAL_WIDTH);
            }
            elaborations.push((text_of(&entry, "name").map_err(form)?, numbers));
        }
        let mut events = Vec::new();
        for entry in list(&file, "events") {
            let name = text_of(&entry, "name").map_err(form)?;
            let number =
                |key| entry.get(key).and_then(toml::Value::as_integer).and_then(|n| u32::try_from(n).ok());
            let (Some(lsb), Some(width)) = (number("lsb"), number("width")) else {
                return Err(form(format!("event '{name}': lsb and width are expected")));
            };
            events.push(OtherEvent { name, lsb, width });
        }
        let top = design.get("top").and_then(toml::Value::as_str);
        let top = top.ok_or_else(|| form("design.top is expected".to_owned()))?.to_owned();
        let package = folder.join("rtl/common/heddle_port_pkg.sv");
        let port = read(&package)?;
        let fields = |name| {
            struct_fields(&port, name).map_err(|what| AgainstError::Form { path: package.clone(), what })
        };
        let (config, status) = (fields("config_t")?, fields("status_t")?);
        let (name, folder) = (name.to_owned(), folder.to_owned());
        let memory_port = !list(design, "memory_port").is_empty();
        Ok(Self { name, top, sources, memory_port, elaborations, events, config, status, folder })
    }

    /// The parameters of an elaboration, of the first one where none is named.
    ///
    /// # Errors
    /// [`AgainstError::Elaboration`].
    pub fn parameters(&self, name: Option<&str>) -> Result<&BTreeMap<String, i64>, AgainstError> {
        let found = match name {
            None => self.elaborations.first(),
            Some(name) => self.elaborations.iter().find(|(own, _)| own == name),
        };
        found.map(|(_, parameters)| parameters).ok_or_else(|| AgainstError::Elaboration {
            design: self.name.clone(),
            name: name.unwrap_or_default().to_owned(),
        })
    }
}

pub(super) fn read(path: &Path) -> Result<String, AgainstError> {
    fs::read_to_string(path).map_err(|source| AgainstError::File { path: path.to_owned(), source })
}

fn table<'a>(file: &'a toml::Table, key: &str) -> Result<&'a toml::Table, String> {
    file.get(key).and_then(toml::Value::as_table).ok_or_else(|| format!("[{key}] is expected"))
}

fn text_of(entry: &toml::Value, key: &str) -> Result<String, String> {
    entry
        .get(key)
        .and_then(toml::Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| format!("{key} is expected"))
}

/// Names and bits of the fields of a packed struct whose ranges are numbers.
fn struct_fields(package: &str, name: &str) -> Result<Vec<(String, u32)>, String> {
    let code: String = package.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let (before, _) = code
        .split_once(&format!("}} {name};"))
        .ok_or_else(|| format!("a packed struct {name} is expected"))?;
    let (_, body) = before.rsplit_once('{').ok_or_else(|| format!("{name}: '{{' is expected"))?;
    let mut fields = Vec::new();
    for field in body.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        let what = || format!("{name}: `{field}`: `logic [N:0] field` is expected");
        let rest = field.strip_prefix("logic").ok_or_else(what)?.trim();
        let (bits, field) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(":0]")) {
            Some((high, field)) => (high.trim().parse::<u32>().map_err(|_| what())? + 1, field.trim()),
            None => (1, rest),
        };
        if field.is_empty() || !field.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(what());
        }
        fields.push((field.to_owned(), bits));
    }
    Ok(fields)
}

/// The path without `x/..` pairs, without asking the file system.
fn without_parents(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_struct_are_read_with_their_bits() {
        let package = "typedef struct packed { logic a; } other_t;\n\
                       typedef struct packed {\n  logic [7:0] cycles; // one; two\n  logic flag;\n} config_t;";
        let fields = struct_fields(package, "config_t").expect("the fields");
        assert_eq!(fields, [("cycles".to_owned(), 8), ("flag".to_owned(), 1)]);
        let error = struct_fields(package, "status_t").expect_err("it is not there");
        assert_eq!(error, "a packed struct status_t is expected");
        let error = struct_fields("{ logic [N-1:0] x; } config_t;", "config_t").expect_err("no number");
        assert!(error.contains("`logic [N-1:0] x`"), "{error}");
    }

    #[test]
    fn a_source_of_another_folder_is_relative_to_the_tree() {
        let path = without_parents(Path::new("rtl/osm/../../testbench/osm/osm_binds.sv"));
        assert_eq!(path, Path::new("testbench/osm/osm_binds.sv"));
    }
}
