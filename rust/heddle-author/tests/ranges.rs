//! The ranges that manifests state are true: at both ends of each, a run has RTL that elaborates without a message
//! and a model that takes its configuration.

use std::path::{Path, PathBuf};
use std::thread;

use heddle_author::lint;
use heddle_config::Override;
use heddle_cosim::{Engine, Kernel, PreparedDesign, RunSpec};
use heddle_rtl::{Elaboration, Kind, Manifest, Parameter};
use heddle_workloads::Size;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A run that sets these parameters.
fn prepared(root: &Path, name: &str, values: &[(String, i64)]) -> Result<PreparedDesign, String> {
    let kernel = Kernel::Workload { name: "vectoradd".to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(root.to_owned(), name, kernel, Engine::Sim);
    let key =
        |(name, value): &(String, i64)| Override { key: format!("design.{name}"), value: value.to_string() };
    spec.overrides = values.iter().map(key).collect();
    PreparedDesign::new(&spec).map_err(|error| error.to_string())
}

/// One value, with as few of these ends of other parameters, two at most, as the rules between them ask for.
fn alone(root: &Path, name: &str, one: &(String, i64), ends: &[(String, i64)]) -> Vec<(String, i64)> {
    let others: Vec<&(String, i64)> = ends.iter().filter(|(other, _)| *other != one.0).collect();
    let none = [vec![one.clone()]].into_iter();
    let single = others.iter().map(|&other| vec![one.clone(), other.clone()]);
    let pairs = others.iter().enumerate().flat_map(|(at, &first)| {
        let later = others[at + 1..].iter().filter(move |second| second.0 != first.0);
        later.map(move |&second| vec![one.clone(), first.clone(), second.clone()])
    });
    let accepted = none.chain(single).chain(pairs).find(|values| prepared(root, name, values).is_ok());
    accepted.unwrap_or_else(|| vec![one.clone()])
}

/// As many of these parameters as the rules between them allow together, the first ones first.
fn most(root: &Path, name: &str, open: &[(String, i64)]) -> Vec<(String, i64)> {
    let mut taken: Vec<(String, i64)> = Vec::new();
    for value in open {
        taken.push(value.clone());
        if prepared(root, name, &taken).is_err() {
            taken.pop();
        }
    }
    taken
}

/// Runs that have each end of each range of an elaborated parameter: as many least, and as many greatest ones, together as
/// go together, until each has been in one.
fn ends(root: &Path, manifest: &Manifest) -> Vec<Vec<(String, i64)>> {
    let own: Vec<&Parameter> = manifest.parameters.iter().filter(|p| p.kind == Kind::Elaborated).collect();
    // The default elaboration is among them where there is nothing else.
    let mut all = if own.is_empty() { vec![Vec::new()] } else { Vec::new() };
    // There is no RTL of a value that the model alone has.
    let value = |p: &Parameter, end: i64| if p.model_only.contains(&end) { p.default } else { end };
    let at = |end: fn(&Parameter) -> i64| -> Vec<(String, i64)> {
        own.iter().map(|p| (p.name.clone(), value(p, end(p)))).collect()
    };
    let both = [at(Parameter::least), at(Parameter::most)].concat();
    for together in both.chunks(own.len().max(1)) {
        let mut open = together.to_vec();
        while let Some(first) = open.first() {
            let mut values = most(root, &manifest.name, &open);
            if values.is_empty() {
                values = alone(root, &manifest.name, first, &both);
            }
            open.retain(|value| !values.contains(value));
            all.push(values);
        }
    }
    all
}

/// What is wrong with a run.
fn wrong(
    root: &Path,
    name: &str,
    values: &[(String, i64)],
    linted: &mut Vec<Elaboration>,
) -> Result<(), String> {
    let PreparedDesign { manifest, elaboration, instance, config, .. } = prepared(root, name, values)?;
    let mut model = heddle_designs::create(name, &instance).map_err(|error| error.to_string())?;
    model.reset(&config).map_err(|error| error.to_string())?;
    if linted.iter().any(|done| done.parameters == elaboration.parameters) {
        return Ok(());
    }
    let said = lint(root, &manifest, &elaboration)?;
    linted.push(elaboration);
    if said.is_empty() { Ok(()) } else { Err(said) }
}

/// What is wrong with the runs of a design.
fn faults(root: &Path, name: &str) -> Vec<String> {
    let manifest = Manifest::load(root, name).expect("a manifest");
    let mut linted = Vec::new();
    let mut faults = Vec::new();
    for values in ends(root, &manifest) {
        let found = wrong(root, name, &values, &mut linted).err();
        faults.extend(found.map(|what| format!("{name} {values:?}: {what}")));
    }
    assert!(!linted.is_empty(), "{name}: nothing was elaborated");
    faults
}

#[test]
fn both_ends_of_every_range_elaborate_and_have_a_model() {
    let root = &root();
    let names = Manifest::names(root).expect("the designs");
    let found: Vec<String> = thread::scope(|scope| {
        let designs: Vec<_> = names.iter().map(|name| scope.spawn(move || faults(root, name))).collect();
        designs.into_iter().flat_map(|design| design.join().expect("a design is judged")).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}
