//! A copy of the other tree's sources behind this tree's port.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use heddle_port::{EventField, FieldLayout, Instance, PortConfig, PortStruct, Status};
use heddle_rtl::{Elaboration, Manifest, RtlError};

use super::AgainstError;
use super::tree::{OtherDesign, read};

/// The port package of this tree, and what the other tree's is called beside it.
const PACKAGE: &str = "heddle_port_pkg";
const OTHER_PACKAGE: &str = "heddle_port_of_other_pkg";

/// Copies the sources into `stage` and returns a manifest of them, which builds with `stage` as root.
///
/// # Errors
/// [`AgainstError::Missing`], or a file that cannot be read or written.
pub(super) fn stage(
    root: &Path,
    stage: &Path,
    here: (&Manifest, &Elaboration),
    other: &OtherDesign,
    parameters: &BTreeMap<String, i64>,
) -> Result<Manifest, AgainstError> {
    let top = format!("{}_of_other", other.manifest.top);
    let port = read(&root.join("rtl/common/heddle_port_pkg.sv"))?;
    let mut sources = vec![write(&stage.join("port/heddle_port_pkg.sv"), &port)?];
    for source in &other.manifest.sources {
        sources.push(copy(&other.folder.join(source), &other.folder, stage)?);
    }
    // What the sources include stands beside them.
    let folders: BTreeSet<&Path> = other.manifest.sources.iter().filter_map(|path| path.parent()).collect();
    for folder in folders {
        let folder = other.folder.join(folder);
        let failed = |source| AgainstError::File { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|extension| extension == "svh") {
                copy(&path, &other.folder, stage)?;
            }
        }
    }
    let text = wrapper(here, other, &top, parameters)?;
    sources.push(write(&stage.join("port").join(format!("{top}.sv")), &text)?);
    let waivers = Path::new("constraints").join(&other.manifest.name).join("lint.vlt");
    if other.folder.join(&waivers).is_file() {
        write(&stage.join(&waivers), &read(&other.folder.join(&waivers))?)?;
    }
    let build = stage.join("build");
    if !build.exists() {
        let target = root.join("build");
        std::os::unix::fs::symlink(target, &build)
            .map_err(|source| AgainstError::File { path: build, source })?;
    }
    Ok(Manifest { top, sources, ..here.0.clone() })
}

/// Copies a file of the tree in `folder`, with the other name of the package, to its place below `stage`.
fn copy(path: &Path, folder: &Path, stage: &Path) -> Result<PathBuf, AgainstError> {
    let inside = path.strip_prefix(folder).map_err(|_| AgainstError::Form {
        path: path.to_owned(),
        what: format!("a file below {} is expected", folder.display()),
    })?;
    write(&stage.join(inside), &read(path)?.replace(PACKAGE, OTHER_PACKAGE))
}

fn write(path: &Path, text: &str) -> Result<PathBuf, AgainstError> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|source| AgainstError::File { path: path.to_owned(), source })?;
    Ok(path.to_owned())
}

/// Joins the fields that both have by name; a field of `needed` without a namesake is an error.
fn joined(
    design: &str,
    what: &str,
    needed: &[(String, u32)],
    here: &[FieldLayout],
) -> Result<Vec<(String, u32, u32)>, AgainstError> {
    let one = |(name, bits): &(String, u32)| {
        let found = here.iter().find(|field| field.name == name && field.elements * field.width >= *bits);
        let missing = || AgainstError::Missing {
            design: design.to_owned(),
            what: format!("the field {name} of {what} with {bits} bits"),
        };
        found.map(|field| (name.clone(), *bits, field.elements * field.width)).ok_or_else(missing)
    };
    needed.iter().map(one).collect()
}

/// The text of the generated top.
fn wrapper(
    (here, elaboration): (&Manifest, &Elaboration),
    other: &OtherDesign,
    top: &str,
    parameters: &BTreeMap<String, i64>,
) -> Result<String, AgainstError> {
    let made_with: Instance = here.instance(elaboration).map_err(RtlError::from)?;
    let config = joined(&other.manifest.name, "config_t", &other.config, PortConfig::FIELDS)?;
    let status = joined(&other.manifest.name, "status_t", &other.status, Status::FIELDS)?;
    let mut body = String::new();
    let mut line = |text: String| writeln!(body, "{text}").expect("a string takes any text");
    line("  always_comb begin".to_owned());
    for (name, bits, width) in &config {
        let cast = if bits == width { String::new() } else { format!("{bits}'") };
        line(format!("    other_config.{name} = {cast}(config_i.{name});"));
    }
    line("    status_o = '0;".to_owned());
    for (name, bits, width) in &status {
        let cast = if bits == width { String::new() } else { format!("{width}'") };
        line(format!("    status_o.{name} = {cast}(other_status.{name});"));
    }
    line("    events_o = '0;".to_owned());
    let events = other.events(parameters)?;
    for (name, field) in events.iter() {
        let found = made_with.events.field(name).filter(|here| here.width == field.width);
        let found = found.ok_or_else(|| AgainstError::Missing {
            design: other.manifest.name.clone(),
            what: format!("the event {name} with {} bits", field.width),
        })?;
        let range = |field: EventField| format!("[{}:{}]", field.end() - 1, field.lsb);
        line(format!("    events_o{} = other_events{};", range(found), range(field)));
    }
    line("  end".to_owned());
    let own = here.of_top(elaboration).map_err(RtlError::from)?;
    let own: Vec<String> =
        own.iter().map(|(name, value)| format!("  parameter int unsigned {name} = {value}")).collect();
    let given: Vec<String> = parameters.iter().map(|(name, value)| format!("    .{name}({value})")).collect();
    let (memory_ports, memory_pins) =
        if other.manifest.memory_port.any() { (MEMORY_PORTS, MEMORY_PINS) } else { ("", "") };
    Ok(format!(
        "module {top} import {PACKAGE}::*; #(\n{}\n) (\n{PORTS}{memory_ports}  output logic [{}:0] \
         events_o\n);\n  {OTHER_PACKAGE}::config_t other_config;\n  {OTHER_PACKAGE}::status_t other_status;\n  \
         logic [{}:0] other_events;\n{body}  {} #(\n{}\n  ) u_other \
         (\n{PINS}{memory_pins}    .config_i(other_config),\n    .status_o(other_status),\n    \
         .events_o(other_events)\n  );\nendmodule\n",
        own.join(",\n"),
        made_with.events.bits().max(1) - 1,
        events.bits().max(1) - 1,
        other.manifest.top,
        given.join(",\n"),
    ))
}

const PORTS: &str = "  input  logic clk_i,
  input  logic rst_ni,
  input  config_t config_i,
  input  issue_t [IssueWidth-1:0] issue_i,
  output logic [IssueWidth-1:0] issue_ready_o,
  output operands_t [IssueWidth-1:0] operands_o,
  output logic [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][31:0] operand_data_o,
  input  logic [IssueWidth-1:0] operands_ready_i,
  input  result_t [ResultWidth-1:0] result_i,
  input  logic [ResultWidth-1:0][NumLanes-1:0][31:0] result_data_i,
  output logic [ResultWidth-1:0] result_ready_o,
  input  command_t command_i,
  output logic command_ready_o,
  output done_t done_o,
  output status_t status_o,
";

const MEMORY_PORTS: &str = "  input  mem_request_t memory_request_i,
  input  logic [NumLanes-1:0][3:0][31:0] memory_request_data_i,
  output logic memory_request_ready_o,
  output mem_response_t memory_response_o,
  output logic [NumLanes-1:0][3:0][31:0] memory_response_data_o,
  output mem_performed_t memory_performed_o,
  output logic memory_idle_o,
  input  logic memory_flush_i,
  output mem_lower_request_t lower_request_o,
  output logic [NumLanes-1:0][31:0] lower_request_data_o,
  input  logic lower_ready_i,
  input  mem_lower_response_t lower_response_i,
  input  logic [NumLanes-1:0][31:0] lower_response_data_i,
";

const PINS: &str = "    .clk_i,
    .rst_ni,
    .issue_i,
    .issue_ready_o,
    .operands_o,
    .operand_data_o,
    .operands_ready_i,
    .result_i,
    .result_data_i,
    .result_ready_o,
    .command_i,
    .command_ready_o,
    .done_o,
";

const MEMORY_PINS: &str = "    .memory_request_i,
    .memory_request_data_i,
    .memory_request_ready_o,
    .memory_response_o,
    .memory_response_data_o,
    .memory_performed_o,
    .memory_idle_o,
    .memory_flush_i,
    .lower_request_o,
    .lower_request_data_o,
    .lower_ready_i,
    .lower_response_i,
    .lower_response_data_i,
";
