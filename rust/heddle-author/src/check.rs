//! Everything that a design needs, looked at one after the other.

use std::collections::BTreeSet;
use std::path::Path;

use heddle_config::Override;
use heddle_cosim::{Engine, Kernel, PreparedDesign, RunSpec, Session, WaveFormat, WaveWindow, try_bug};
use heddle_portbench::{BenchConfig, run};
use heddle_rtl::planted::{self, BugClass};
use heddle_rtl::{Elaboration, Manifest};
use heddle_workloads::Size;

use crate::lint;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at.
    pub what: &'static str,
    /// What was found, or what is wrong or missing and what to do.
    pub result: Result<String, String>,
}

/// What is looked at, and how thoroughly.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// Bring the files that follow from the manifest up to date first.
    pub write: bool,
    /// Settings of the runs: keys of the preset, parameters of the design.
    pub overrides: Vec<Override>,
    /// Cycles of random traffic through the ports.
    pub cycles: u64,
    /// Try every planted bug.
    pub faults: bool,
}

/// The kernel that is run, and the cycles of it that are in the waveform of the saved view.
const KERNEL: &str = "vectoradd";
const VIEW_CYCLES: u64 = 50;

/// Classes of planted bugs that a register file has.
const CLASSES: [BugClass; 8] = [
    BugClass::Arbitration,
    BugClass::Hazard,
    BugClass::Allocation,
    BugClass::Addressing,
    BugClass::LaneMask,
    BugClass::WriteBack,
    BugClass::Activation,
    BugClass::FullEmpty,
];

/// Looks at what of design `name` can be read without its model: manifest, files, planted bugs and lint.
pub fn check_files(root: &Path, name: &str, write: bool, found: &mut dyn FnMut(&Finding)) -> Vec<Finding> {
    let mut checks = Checks { findings: Vec::new(), found };
    checks.of_files(root, name, write);
    checks.findings
}

/// Looks at everything that design `name` in the repository at `root` needs. `found` gets each finding as soon as it
/// is there; where a manifest cannot be read or the RTL cannot be built, what needs it is left out.
pub fn check(
    root: &Path,
    name: &str,
    options: &CheckOptions,
    found: &mut dyn FnMut(&Finding),
) -> Vec<Finding> {
    let mut checks = Checks { findings: Vec::new(), found };
    if checks.of_files(root, name, options.write) {
        let spec = spec(root, name, options);
        let prepared = PreparedDesign::new(&spec).map_err(|e| e.to_string());
        checks.add("model", prepared.as_ref().map_err(Clone::clone).and_then(model));
        if let Ok(prepared) = prepared {
            checks.add("port contract", contract(root, &prepared, options.cycles));
            checks.add("co-simulation and saved view", co_simulate(&spec));
            if options.faults {
                checks.add("planted bugs tried", try_bugs(root, &prepared.manifest, &spec));
            }
        }
    }
    checks.findings
}

struct Checks<'a> {
    findings: Vec<Finding>,
    found: &'a mut dyn FnMut(&Finding),
}

impl Checks<'_> {
    fn add(&mut self, what: &'static str, result: Result<String, String>) {
        let finding = Finding { what, result };
        (self.found)(&finding);
        self.findings.push(finding);
    }

    /// What needs no model; false where there is no manifest to go on with.
    fn of_files(&mut self, root: &Path, name: &str, write: bool) -> bool {
        let manifest = Manifest::load(root, name).map_err(|e| e.to_string());
        let told = manifest.as_ref().map(|m| format!("{}; {} events", m.title, m.events.len()));
        self.add("manifest", told.map_err(Clone::clone));
        if let Ok(manifest) = &manifest {
            self.files(root, manifest, write);
            self.add("planted bugs", planted_bugs(root, manifest));
            self.add("lint", lint_all(root, manifest));
        }
        manifest.is_ok()
    }

    /// Files that a design has beside its sources.
    fn files(&mut self, root: &Path, manifest: &Manifest, write: bool) {
        self.add("generated files", generated(manifest, write));
        self.add("page", page(root, &manifest.name));
        let constraints = format!("constraints/{0}/{0}.sdc", manifest.name);
        let there = root.join(&constraints).is_file();
        self.add(
            "constraints",
            if there { Ok(constraints) } else { Err(format!("there is no {constraints}")) },
        );
    }
}

/// The page about the design: its own, or one that is about it too.
fn page(root: &Path, name: &str) -> Result<String, String> {
    let own = format!("docs/designs/{name}.md");
    if root.join(&own).is_file() {
        return Ok(own);
    }
    let quoted = format!("`{name}`");
    let pages = std::fs::read_dir(root.join("docs/designs")).into_iter().flatten().flatten();
    let about = |path: &Path| std::fs::read_to_string(path).is_ok_and(|text| text.contains(&quoted));
    let other = pages.map(|page| page.path()).filter(|path| about(path)).min();
    let other = other.ok_or_else(|| format!("there is no {own}"))?;
    Ok(other.strip_prefix(root).unwrap_or(&other).display().to_string())
}

fn generated(manifest: &Manifest, write: bool) -> Result<String, String> {
    let mut names = Vec::new();
    for file in manifest.generated().map_err(|e| e.to_string())? {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !file.is_current().map_err(|e| e.to_string())? {
            if !write {
                return Err(format!(
                    "{} is not what the manifest says: `heddle check-design {} --write` writes it",
                    file.path.display(),
                    manifest.name
                ));
            }
            file.write().map_err(|e| e.to_string())?;
        }
        names.push(name);
    }
    Ok(names.join(", "))
}

/// Every bug fits the sources, and every class has one.
fn planted_bugs(root: &Path, manifest: &Manifest) -> Result<String, String> {
    let bugs = planted::load(root, manifest).map_err(|e| e.to_string())?;
    planted::instrument(root, manifest, &bugs).map_err(|e| e.to_string())?;
    let there: BTreeSet<BugClass> = bugs.iter().map(|bug| bug.class).collect();
    let missing: Vec<String> =
        CLASSES.iter().filter(|class| !there.contains(class)).map(BugClass::to_string).collect();
    if !missing.is_empty() && !manifest.memory_port.any() {
        return Err(format!("no bug of class {}", missing.join(", ")));
    }
    for bug in &bugs {
        if let Some(kernel) = &bug.kernel {
            heddle_workloads::find(kernel).map_err(|e| format!("planted bug '{}': {e}", bug.id))?;
        }
    }
    Ok(format!("{} bugs of {} classes", bugs.len(), there.len()))
}

fn lint_all(root: &Path, manifest: &Manifest) -> Result<String, String> {
    for elaboration in &manifest.elaborations {
        let said = lint::lint(root, manifest, elaboration)?;
        if !said.is_empty() {
            return Err(format!("elaboration '{}': {said}", elaboration.name));
        }
    }
    Ok(format!("{} elaborations are clean under -Wall", manifest.elaborations.len()))
}

fn spec(root: &Path, name: &str, options: &CheckOptions) -> RunSpec {
    let mut spec = RunSpec::new(root.to_owned(), name, shipped(KERNEL), Engine::Cosim);
    spec.overrides.clone_from(&options.overrides);
    spec
}

fn shipped(kernel: &str) -> Kernel {
    Kernel::Workload { name: kernel.to_owned(), size: Size::Smoke }
}

/// The model can be made and takes the configuration of the design's preset.
fn model(prepared: &PreparedDesign) -> Result<String, String> {
    let name = &prepared.manifest.name;
    let mut model = heddle_designs::create(name, &prepared.instance).map_err(|e| e.to_string())?;
    model.reset(&prepared.config).map_err(|e| e.to_string())?;
    Ok(format!("takes preset {}", prepared.preset.name))
}

/// RTL and model under random traffic that keeps the port's contract.
fn contract(root: &Path, prepared: &PreparedDesign, cycles: u64) -> Result<String, String> {
    let PreparedDesign { manifest, elaboration, config, .. } = prepared;
    let library = build(root, manifest, elaboration)?;
    let mut rtl = library.instance(1).map_err(|e| e.to_string())?;
    let mut model = heddle_designs::create(&manifest.name, rtl.made_with()).map_err(|e| e.to_string())?;
    let bench = BenchConfig::new(manifest, rtl.made_with(), *config);
    let summary = run(&bench, &mut rtl, &mut *model, 1, cycles).map_err(|e| e.to_string())?;
    Ok(summary.to_string())
}

fn build(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
) -> Result<heddle_rtl::ModelLibrary, String> {
    heddle_rtl::build(root, manifest, elaboration, &mut |_| {}).map_err(|e| e.to_string())
}

/// A kernel in the loop, everything checked, and its waveform in the saved view.
fn co_simulate(spec: &RunSpec) -> Result<String, String> {
    let results = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut spec = spec.clone();
    spec.results = results.path().to_owned();
    spec.waves = Some(WaveWindow { format: WaveFormat::Vcd, from: 0, cycles: VIEW_CYCLES });
    let report =
        Session::new(spec).and_then(|mut session| session.run(&mut ())).map_err(|e| e.to_string())?;
    Ok(format!("{KERNEL}: {} cycles, {} operands compared", report.cycles, report.operands_compared))
}

/// Every planted bug that names its kernel is found on it, by what its list says.
fn try_bugs(root: &Path, manifest: &Manifest, spec: &RunSpec) -> Result<String, String> {
    let results = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (mut tried, mut wrong) = (0, Vec::new());
    for bug in planted::load(root, manifest).map_err(|e| e.to_string())? {
        let Some(kernel) = &bug.kernel else { continue };
        let mut spec = spec.clone();
        spec.design = manifest.variant_name(manifest.tests.planted.as_deref().unwrap_or_default());
        spec.kernel = shipped(kernel);
        spec.results = results.path().to_owned();
        tried += 1;
        if let Err(what) = try_bug(spec, &bug) {
            wrong.push(format!("{}: {what}", bug.id));
        }
    }
    if wrong.is_empty() {
        return Ok(format!("{tried} found, each by what its list says"));
    }
    Err(format!("{} of {tried}\n{}", wrong.len(), wrong.join("\n")))
}
