//! `heddle check-design`.

use heddle_author::{CheckOptions, Finding};
use heddle_config::Override;
use heddle_cosim::Engine;
use heddle_manifest::{Manifest, ManifestError};

use crate::args::CheckDesignArgs;
use crate::root::root;
use crate::settings::usable;
use crate::{Failure, Outcome, print};

/// Prints a line for everything that a design needs, as it is looked at.
pub fn check_design(args: &CheckDesignArgs) -> Outcome {
    let root = root()?;
    match Manifest::load(&root, &args.design) {
        Err(error @ ManifestError::UnknownDesign { .. }) => return Err(Failure::usage(error)),
        Ok(manifest) if !manifest.has_rtl => {
            let what = "is a cycle model without RTL, and it is RTL that `check-design` looks at";
            return Err(Failure::usage(format!("'{}' {what}", args.design)));
        }
        _ => {}
    }
    // Where the design cannot be used without them either, a check says why.
    let with = |overrides: &[Override]| usable(&root, &args.design, None, overrides, Engine::Cosim);
    if let Err(error) = with(&args.overrides)
        && with(&[]).is_ok()
    {
        return Err(error.into());
    }
    let mut outcome = Ok(());
    let mut tell = |finding: &Finding| {
        let line = match &finding.result {
            Ok(what) => format!("ok       {}: {what}\n", finding.what),
            Err(what) => format!("missing  {}: {what}\n", finding.what),
        };
        if outcome.is_ok() {
            outcome = print(&line);
        }
    };
    let options = CheckOptions {
        write: args.write,
        overrides: args.overrides.clone(),
        cycles: args.cycles,
        faults: args.faults,
    };
    let findings = heddle_author::check(&root, &args.design, &options, &mut tell);
    outcome?;
    match findings.iter().filter(|finding| finding.result.is_err()).count() {
        0 => Ok(()),
        missing => Err(Failure::failed(format!(
            "design '{}': {missing} of {} checks fail",
            args.design,
            findings.len()
        ))),
    }
}
