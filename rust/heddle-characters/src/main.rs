//! `make sheet` and `make sheet-check`: measures kernels, writes their sheets, and checks them.
//!
//! Exit codes: 0 fine; 1 a sheet is missing, stale or off without a reason; 2 wrong use.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use heddle_characters::{
    Audit, CharacterError, PRESETS, Store, audit, entries, is_fresh, measure, page, sheets,
};
use heddle_config::Preset;
use heddle_workloads::{Size, Workload, all, find};

/// Character sheets of the kernels
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run kernels, write their sheets and the page
    Measure {
        /// Kernels; all that have no sheet or a stale one when none is named
        names: Vec<String>,
        /// Size of the inputs
        #[arg(long, default_value = "paper")]
        size: String,
        /// Run on this preset only, and keep what the sheets hold of the others; all kernels when none is named
        #[arg(long, value_parser = PRESETS)]
        preset: Option<String>,
    },
    /// Hold all sheets against the programs and the published values
    Check,
    /// Write the page anew from the sheets
    Page,
}

fn main() -> ExitCode {
    match run(&Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("heddle-characters: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> Result<bool, CharacterError> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().map_err(|e| CharacterError::File { path: root, reason: e.to_string() })?;
    let store = Store::of(&root);
    let presets = heddle_config::machine_names()
        .into_iter()
        .map(heddle_config::load)
        .collect::<Result<Vec<Preset>, _>>()?;
    match command {
        Command::Measure { names, size, preset } => {
            let size: Size = size.parse()?;
            let one = preset.as_deref();
            let workloads = match one {
                Some(_) if names.is_empty() => all().to_vec(),
                _ => chosen(names, &store, &presets)?,
            };
            for workload in workloads {
                eprintln!("heddle-characters: {} in size {size}", workload.name());
                let wanted: Vec<&str> = one.map_or_else(|| PRESETS.to_vec(), |name| vec![name]);
                let mut sheet = measure(&root, workload, size, &presets, &wanted, &mut ())?;
                if one.is_some()
                    && let Some(before) = store.read(workload)?
                {
                    for (name, run) in before.runs {
                        sheet.runs.entry(name).or_insert(run);
                    }
                }
                let path = store.write(workload, &sheet)?;
                println!("{}", shown(&root, &path));
            }
            write_page(&store)
        }
        Command::Check => check_all(&store, &presets),
        Command::Page => write_page(&store),
    }
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// The workloads named, or those whose sheet does not show what they are now.
fn chosen(
    names: &[String],
    store: &Store,
    presets: &[Preset],
) -> Result<Vec<&'static dyn Workload>, CharacterError> {
    if !names.is_empty() {
        return names.iter().map(|name| Ok(find(name)?)).collect();
    }
    let mut stale = Vec::new();
    for &workload in all() {
        let fresh = match store.read(workload)? {
            Some(sheet) => is_fresh(workload, &sheet, &entries(workload, presets)?),
            None => false,
        };
        if !fresh {
            stale.push(workload);
        }
    }
    Ok(stale)
}

fn write_page(store: &Store) -> Result<bool, CharacterError> {
    store.write_text(&store.page(), &page(&sheets(store)?))?;
    Ok(true)
}

/// Prints what is wrong; whether nothing is.
fn check_all(store: &Store, presets: &[Preset]) -> Result<bool, CharacterError> {
    let Audit { missing, wrong, compared } = audit(store, presets)?;
    for name in &missing {
        println!("{name}: no sheet; `make sheet` measures it");
    }
    for line in &wrong {
        println!("{line}");
    }
    let (kernels, without, wrong) = (all().len(), missing.len(), wrong.len());
    println!(
        "{kernels} kernels, {without} without a sheet, {compared} published values compared, {wrong} wrong"
    );
    Ok(without == 0 && wrong == 0 && compared > 0)
}
