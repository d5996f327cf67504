//! `heddle compile --emit mapping`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Kernel, RunSpec, Session};
use heddle_passes::EntryMapping;

use crate::args::{CompileArgs, ProfileArgs};
use crate::input::expect_ptx;
use crate::progress::Terminal;
use crate::root::root;
use crate::settings::warn_of_unread;
use crate::{Failure, Outcome, print};

/// The setting that the profile run has, and its value.
const MAPPING: (&str, &str) = ("register_file.mapping", "profiled");

/// The kernel whose run is profiled.
fn profiled(args: &CompileArgs) -> Result<Kernel, Failure> {
    let profile = &args.profile;
    if let Some(name) = &profile.kernel {
        let size = profile.size.as_deref().unwrap_or("smoke").parse().map_err(Failure::usage)?;
        let workload = heddle_workloads::find(name).map_err(Failure::usage)?;
        return Ok(Kernel::Workload { name: workload.name().to_owned(), size });
    }
    let (Some(file), Some(launch)) = (&args.file, &profile.launch) else {
        let what = "--emit mapping is made from a profile run: it needs --launch L.toml beside FILE.ptx, or --kernel NAME";
        return Err(Failure::usage(what));
    };
    [file].into_iter().chain(&args.link).try_for_each(|file| expect_ptx(file))?;
    Ok(Kernel::File { ptx: file.clone(), link: args.link.clone(), launch: launch.clone() })
}

/// The settings that options of the command and the profile ask for, in place of `--set`.
fn settings(args: &CompileArgs) -> Vec<(&'static str, Override)> {
    let of = |key: &str, value: String| Override { key: key.to_owned(), value };
    // Of a design or variant that does not use it too.
    let mut settings = vec![("--emit mapping", of(MAPPING.0, MAPPING.1.to_owned()))];
    if args.constant_operands {
        settings.push(("--constant-operands", of("compiler.constant_operands", true.to_string())));
    }
    if args.early_loads > 0 {
        settings.push(("--early-loads", of("compiler.early_loads", args.early_loads.to_string())));
    }
    settings
}

/// Refuses what `--set` says otherwise than another option does.
fn refuse_other(profile: &ProfileArgs, settings: &[(&str, Override)]) -> Outcome {
    for (option, setting) in settings {
        let other =
            |change: &&Override| change.key == setting.key && change.value.trim_matches('"') != setting.value;
        if let Some(change) = profile.overrides.iter().find(other) {
            return Err(Failure::usage(format!(
                "--set {}={}: with {option} it is {}",
                change.key, change.value, setting.value
            )));
        }
    }
    Ok(())
}

/// Profiles a run and prints the mapping of each entry.
pub fn emit_mapping(args: &CompileArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let kernel = profiled(args)?;
    let profile = &args.profile;
    let settings = settings(args);
    refuse_other(profile, &settings)?;
    let design = profile.design.as_deref().unwrap_or("racetrack");
    let ctas = Ctas::usual(&kernel);
    let root = root()?;
    warn_of_unread(&root, design, profile.preset.as_deref(), &profile.overrides);
    let mut spec = RunSpec::new(root, design, kernel, Engine::Sim);
    spec.preset.clone_from(&profile.preset);
    spec.overrides.clone_from(&profile.overrides);
    spec.overrides.extend(settings.into_iter().map(|(_, setting)| setting));
    spec.max_registers = args.max_registers();
    spec.seed = profile.seed.unwrap_or(spec.seed);
    spec.ctas = ctas;
    let mut terminal = Terminal::new(profile.quiet, Arc::clone(interrupted));
    terminal.next(format!("{design} {}", spec.kernel_name()));
    let mut session = Session::new(spec)?;
    let outcome = session.profile_mappings(&mut terminal);
    terminal.clear();
    outcome?;
    let wanted = |name: &str| args.entry.as_deref().is_none_or(|entry| entry == name);
    let mappings: Vec<&EntryMapping> = session.mappings().collect();
    let text: String = mappings.iter().filter(|m| wanted(&m.entry)).map(|m| m.text()).collect();
    if let (true, Some(entry)) = (text.is_empty(), &args.entry) {
        let known: Vec<&str> = mappings.iter().map(|m| m.entry.as_str()).collect();
        let what = format!("the run launches no entry '{entry}'; it launches {}", known.join(", "));
        return Err(Failure::usage(what));
    }
    print(&text)
}
