//! What is read of the other tree: manifest and port package.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use heddle_port::EventLayout;
use heddle_rtl::{Elaboration, Manifest, RtlError};

use super::{AgainstError, in_manifest};

/// A design of the other tree.
#[derive(Debug, Clone)]
pub struct OtherDesign {
    /// Its manifest.
    pub manifest: Manifest,
    /// Names and parameters of its elaborations, by their names in the RTL, the widths of the port among them.
    pub elaborations: Vec<(String, BTreeMap<String, i64>)>,
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
    /// [`AgainstError::Build`] with what is wrong in its manifest, [`AgainstError::File`], or [`AgainstError::Form`]
    /// with what is not as expected.
    pub fn read(folder: &Path, name: &str) -> Result<Self, AgainstError> {
        let manifest = Manifest::load(folder, name).map_err(RtlError::from)?;
        let mut elaborations = Vec::new();
        for elaboration in &manifest.elaborations {
            let parameters = manifest.of_top(elaboration).map_err(RtlError::from)?;
            elaborations.push((elaboration.name.clone(), parameters.into_iter().collect()));
        }
        let package = folder.join("rtl/common/heddle_port_pkg.sv");
        let port = read(&package)?;
        let fields = |name| {
            struct_fields(&port, name).map_err(|what| AgainstError::Form { path: package.clone(), what })
        };
        let (config, status) = (fields("config_t")?, fields("status_t")?);
        Ok(Self { manifest, elaborations, config, status, folder: folder.to_owned() })
    }

    /// Where its events lie with these parameters of the RTL.
    ///
    /// # Errors
    /// [`AgainstError::Build`]: with these they have no place.
    pub fn events(&self, parameters: &BTreeMap<String, i64>) -> Result<EventLayout, AgainstError> {
        let parameters = parameters.iter().map(|(name, value)| (in_manifest(name), *value)).collect();
        let elaboration = Elaboration { name: "both".to_owned(), parameters };
        let made_with = self.manifest.instance(&elaboration).map_err(RtlError::from)?;
        Ok(made_with.events)
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
            design: self.manifest.name.clone(),
            name: name.unwrap_or_default().to_owned(),
        })
    }
}

pub(super) fn read(path: &Path) -> Result<String, AgainstError> {
    fs::read_to_string(path).map_err(|source| AgainstError::File { path: path.to_owned(), source })
}

/// Names and bits of the fields of a packed struct whose ranges are numbers, or one below a constant of the package.
fn struct_fields(package: &str, name: &str) -> Result<Vec<(String, u32)>, String> {
    let code: String = package.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let (before, _) = code
        .split_once(&format!("}} {name};"))
        .ok_or_else(|| format!("a packed struct {name} is expected"))?;
    let (_, body) = before.rsplit_once('{').ok_or_else(|| format!("{name}: '{{' is expected"))?;
    let mut fields = Vec::new();
    for field in body.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        let what = || format!("{name}: `{field}`: `logic [N:0] field` is expected");
        let mut rest = field.strip_prefix("logic").ok_or_else(what)?.trim();
        let mut bits = 1;
        while let Some((high, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(":0]")) {
            let size = size(&code, high.trim()).ok_or_else(what)?;
            bits = size.checked_mul(bits).ok_or_else(what)?;
            rest = behind.trim();
        }
        if rest.is_empty() || !rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(what());
        }
        fields.push((rest.to_owned(), bits));
    }
    Ok(fields)
}

/// Places of a range from 0 to `high`, a number or `NAME-1`.
fn size(code: &str, high: &str) -> Option<u32> {
    let Some(constant) = high.strip_suffix("-1") else { return high.parse::<u32>().ok()?.checked_add(1) };
    let value = code.split("localparam int unsigned").find_map(|text| {
        let (name, value) = text.split_once(';')?.0.split_once('=')?;
        (name.trim() == constant.trim()).then_some(value.trim())
    })?;
    value.parse().ok()
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
        let words = "localparam int unsigned Other = 3; localparam int unsigned N  = 4; { logic [N-1:0][31:0] x; } config_t;";
        assert_eq!(struct_fields(words, "config_t").expect("the fields"), [("x".to_owned(), 128)]);
        let error = struct_fields("{ logic [N-1:0] x; } config_t;", "config_t").expect_err("no number");
        assert!(error.contains("`logic [N-1:0] x`"), "{error}");
    }
}
