//! `heddle list`.

use clap::ValueEnum as _;
use heddle_characters::{EntryCharacter, Sheet, Store, check, is_fresh};
use heddle_config::Preset;
use heddle_rtl::{Found, Manifest};
use heddle_workloads::Workload;
use serde_json::{Map, Value, json};

use crate::args::{Format, ListArgs, ListWhat};
use crate::column::Column;
use crate::root::root;
use crate::table::Rows;
use crate::{Failure, Outcome, complain, print};

/// Characters of the table of designs.
const DESIGNS_WIDTH: usize = 80;

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Prints the list.
pub fn list(args: &ListArgs) -> Outcome {
    let rows = match (args.what, &args.name) {
        (ListWhat::Kernels, Some(name)) => {
            let workload = heddle_workloads::find(name).map_err(Failure::usage)?;
            if args.format == Format::Table {
                return sheet_text(workload);
            }
            kernels(&[workload], args.format)?
        }
        (ListWhat::Kernels, None) => kernels(heddle_workloads::all(), args.format)?,
        (ListWhat::Designs, None) => designs(args.format)?,
        (ListWhat::Presets, None) => crate::list_presets::rows(args.format)?,
        (ListWhat::Claims, name) => crate::claims::rows(name.as_deref())?,
        (ListWhat::Keys, name) => crate::keys::rows(name.as_deref())?,
        (ListWhat::Schema, None) => {
            let schema = serde_json::to_string_pretty(&crate::dictionary::schema()?);
            return print(&(schema.map_err(Failure::failed)? + "\n"));
        }
        (what, Some(name)) => {
            let all = what.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned());
            let remedy = format!("`heddle list {all}` lists all there are");
            return Err(Failure::usage(format!(
                "'{name}' has a meaning only with 'kernels', 'keys' and 'claims'; {remedy}"
            )));
        }
    };
    print(&rows.text(args.format))
}

/// One row a design. A table has the variants of a design below it and, with the title, the paper, which JSON
/// and CSV have apart.
fn designs(format: Format) -> Result<Rows, Failure> {
    let table = format == Format::Table;
    let mut columns = vec![Column::kept("design"), Column::kept("title").text()];
    if !table {
        columns.push(Column::kept("paper"));
    }
    columns.extend([Column::kept("preset"), Column::ranked("rtl", 2), Column::ranked("model", 1)]);
    let mut rows = Rows::new(&columns).broken_at(DESIGNS_WIDTH);
    let found = Manifest::load_each(&root()?).map_err(Failure::usage)?;
    let mut manifests = Vec::new();
    for Found { name, read } in found {
        match read {
            Ok(read) => manifests.extend(read),
            // One that cannot be read does not keep the others from being listed.
            Err(error) => {
                let title = format!("cannot be used: {error}");
                rows.push(object(json!({ "design": name, "title": title, "error": error.to_string() })));
            }
        }
    }
    let models = heddle_cosim::model_names();
    let mut group: Option<&Manifest> = None;
    for manifest in &manifests {
        let mut row = object(json!({
            "design": manifest.called(),
            "title": manifest.title,
            "paper": manifest.paper,
            "preset": manifest.preset,
            "rtl": manifest.has_rtl,
            "model": models.contains(&manifest.name.as_str()),
        }));
        if table {
            let known = group.filter(|g| g.name == manifest.name);
            let indent = if known.is_some() { "  " } else { "" };
            row.insert("design".to_owned(), format!("{indent}{}", manifest.called()).into());
            let other = known.is_none_or(|g| g.paper != manifest.paper);
            if let Some(paper) = manifest.paper.as_ref().filter(|_| other) {
                row.insert("title".to_owned(), format!("{}\n({paper})", manifest.title).into());
            }
            group = Some(known.unwrap_or(manifest));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Prints the character sheet of a kernel.
fn sheet_text(workload: &'static dyn Workload) -> Outcome {
    let name = workload.name();
    let sheet = Store::of(&root()?).read(workload).map_err(Failure::failed)?;
    let sheet = sheet.ok_or_else(|| Failure::failed(format!("{name} has no character sheet")))?;
    let entries = heddle_characters::entries(workload, &machines()?).map_err(Failure::failed)?;
    if !is_fresh(workload, &sheet, &entries) {
        complain(&format!("the character sheet of {name} is stale; `make sheet` measures it anew"));
    }
    print(&heddle_characters::text(workload, &sheet))
}

fn machines() -> Result<Vec<Preset>, Failure> {
    let names = heddle_config::machine_names();
    names.iter().map(|n| heddle_config::load(n)).collect::<Result<_, _>>().map_err(Failure::usage)
}

/// One row a kernel. A table has a line for each entry and leaves out titles and sizes, which JSON and CSV
/// have. JSON also has the character sheet.
fn kernels(workloads: &[&'static dyn Workload], format: Format) -> Result<Rows, Failure> {
    let names = heddle_config::machine_names();
    let presets = machines()?;
    let store = if format == Format::Json { Some(Store::of(&root()?)) } else { None };
    let mut columns = vec![Column::kept("kernel"), Column::ranked("suite", 3), Column::ranked("papers", 4)];
    let limits = names.iter().map(|name| Column::ranked(name, 2));
    if format == Format::Table {
        columns.push(Column::kept("entry"));
        columns.extend(["block", "regs", "shared"].map(|key| Column::ranked(key, 1)));
        columns.extend(limits);
    } else {
        columns.extend(["title", "entry", "block", "registers", "shared_bytes"].map(Column::kept));
        columns.extend(limits);
        columns.extend(["smoke", "small", "paper"].map(Column::kept));
    }
    let mut rows = Rows::new(&columns);
    for &workload in workloads {
        let entries = heddle_characters::entries(workload, &presets).map_err(Failure::failed)?;
        let mut row = if format == Format::Table {
            lines(workload, &entries, &names)
        } else {
            whole(workload, &entries, &names)
        };
        if let Some(store) = &store {
            let sheet = store.read(workload).map_err(Failure::failed)?;
            row.insert("sheet".to_owned(), sheet.map_or(Value::Null, |s| sheet_json(workload, &s, &entries)));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// What the character sheet shows beyond the entries, and published values beside ours.
fn sheet_json(workload: &'static dyn Workload, sheet: &Sheet, entries: &[EntryCharacter]) -> Value {
    let published: Vec<Value> = check(workload, sheet)
        .iter()
        .map(|f| {
            json!({
                "entry": f.entry,
                "row": f.row,
                "quantity": f.quantity.to_string(),
                "ours": f.ours,
                "published": f.published.map(|(low, high)| [low, high]),
                "reason": f.verdict.reason(),
            })
        })
        .collect();
    json!({ "fresh": is_fresh(workload, sheet, entries), "runs": sheet.runs, "published": published })
}

/// A kernel with all that is known without running it in full.
fn whole(workload: &dyn Workload, entries: &[EntryCharacter], presets: &[&str]) -> Map<String, Value> {
    let mut row = object(json!({
        "kernel": workload.name(),
        "suite": workload.suite(),
        "papers": papers(workload).join(" "),
        "title": workload.title(),
        "entry": each(entries, " / ", |e| e.entry.clone()),
        "block": each(entries, " / ", |e| e.threads().to_string()),
        "registers": each(entries, " / ", |e| e.registers.to_string()),
        "shared_bytes": each(entries, " / ", |e| e.shared_bytes.to_string()),
        "entries": entries,
    }));
    for &name in presets {
        row.insert(name.to_owned(), each(entries, " / ", |e| limit(e, name).to_owned()).into());
    }
    for size in workload.sizes() {
        row.insert(size.name().to_owned(), workload.size_text(*size).into());
    }
    row
}

/// A kernel with one line for each entry, narrow.
fn lines(workload: &dyn Workload, entries: &[EntryCharacter], presets: &[&str]) -> Map<String, Value> {
    let papers: Vec<String> = papers(workload).chunks(2).map(|two| two.join(" ")).collect();
    let mut row = object(json!({
        "kernel": workload.name(),
        "suite": workload.suite(),
        "papers": papers.join("\n"),
        "entry": each(entries, "\n", |e| e.entry.clone()),
        "block": each(entries, "\n", |e| format!("{:>5}", e.threads())),
        "regs": each(entries, "\n", |e| format!("{:>4}", e.registers)),
        "shared": each(entries, "\n", |e| format!("{:>6}", e.shared_bytes)),
    }));
    for &name in presets {
        let short = |e: &EntryCharacter| match limit(e, name) {
            "shared memory" => "shared".to_owned(),
            "registers" => "regs".to_owned(),
            other => other.to_owned(),
        };
        row.insert(name.to_owned(), each(entries, "\n", short).into());
    }
    row
}

fn papers(workload: &dyn Workload) -> Vec<&'static str> {
    workload.papers().iter().map(|p| p.name()).collect()
}

/// A value of every entry, in their order.
fn each(entries: &[EntryCharacter], separator: &str, value: impl Fn(&EntryCharacter) -> String) -> String {
    entries.iter().map(value).collect::<Vec<_>>().join(separator)
}

/// What limits the occupancy of an entry.
fn limit<'a>(entry: &'a EntryCharacter, preset: &str) -> &'a str {
    let residency = entry.residency.get(preset).and_then(Option::as_ref);
    residency.map_or("no fit", |r| &r.limit)
}
