//! Whether a recording is one of a design as it is now.

use std::collections::BTreeMap;

use heddle_manifest::{Elaboration, Manifest, ManifestError};
use heddle_port::PORT_VERSION;
use heddle_stimulus::Header;

/// A recording that the design as it is now cannot be held against.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// The register port is another one.
    #[error(
        "it was recorded with version {recorded} of the register port; expected version {PORT_VERSION}, that of \
         this program: record it again"
    )]
    Port {
        /// The recording's.
        recorded: u32,
    },
    /// The design has another top module.
    #[error("it is of the top module '{recorded}'; design '{design}' has '{now}': record it again")]
    Top {
        /// The design.
        design: String,
        /// The recording's.
        recorded: String,
        /// The design's.
        now: String,
    },
    /// The elaboration is another one.
    #[error(
        "it is of elaboration '{elaboration}' of '{design}' with {parameter} = {recorded}, which the design as it is \
         elaborates with {now}: record it again"
    )]
    Parameter {
        /// The design.
        design: String,
        /// The elaboration.
        elaboration: String,
        /// Name in the RTL.
        parameter: String,
        /// The recording's value.
        recorded: String,
        /// The design's.
        now: String,
    },
    /// The design cannot be elaborated so.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

/// The elaboration of a recording, if the design of `manifest` has the port, top module and parameters with which it
/// was recorded. Its RTL may be another one: whether that does the same is what a replay shows.
///
/// # Errors
/// [`RecordedError`].
pub fn recorded_elaboration(header: &Header, manifest: &Manifest) -> Result<Elaboration, RecordedError> {
    if header.port != PORT_VERSION {
        return Err(RecordedError::Port { recorded: header.port });
    }
    let design = manifest.name.clone();
    if header.top != manifest.top {
        let (recorded, now) = (header.top.clone(), manifest.top.clone());
        return Err(RecordedError::Top { design, recorded, now });
    }
    let elaboration = Elaboration { name: header.elaboration.clone(), parameters: header.parameters.clone() };
    let now: BTreeMap<_, _> = manifest.of_top(&elaboration)?.into_iter().collect();
    let recorded = &header.generics;
    let mut names = recorded.keys().chain(now.keys());
    if let Some(parameter) = names.find(|name| recorded.get(*name) != now.get(*name)) {
        let text = |value: Option<&i64>| value.map_or_else(|| "nothing".to_owned(), i64::to_string);
        return Err(RecordedError::Parameter {
            design,
            elaboration: header.elaboration.clone(),
            parameter: parameter.clone(),
            recorded: text(recorded.get(parameter)),
            now: text(now.get(parameter)),
        });
    }
    Ok(elaboration)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use heddle_stimulus::{FORMAT, Words};

    use super::*;

    fn baseline() -> (Manifest, Header) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let manifest = Manifest::load(&root, "baseline").expect("the manifest");
        let elaboration = manifest.elaboration(None).expect("its elaboration");
        let header = Header {
            format: FORMAT,
            port: PORT_VERSION,
            design: "baseline".to_owned(),
            top: manifest.top.clone(),
            elaboration: elaboration.name.clone(),
            parameters: elaboration.parameters.clone(),
            generics: manifest.of_top(elaboration).expect("its parameters").into_iter().collect(),
            sources: String::new(),
            kernel: "vectoradd".to_owned(),
            words: Words { input: 1, bulk_input: 0, output: 1, bulk_output: 0 },
            ports: Vec::new(),
        };
        (manifest, header)
    }

    #[test]
    fn a_recording_of_the_design_as_it_is_fits() {
        let (manifest, header) = baseline();
        assert!(!header.generics.is_empty());
        let elaboration = recorded_elaboration(&header, &manifest).expect("it fits");
        assert_eq!(elaboration.parameters, header.parameters);
    }

    #[test]
    fn another_port_top_module_or_parameter_is_refused() {
        let (manifest, header) = baseline();
        let says = |header: &Header, part: &str| {
            let text = recorded_elaboration(header, &manifest).expect_err(part).to_string();
            assert!(text.contains(part), "{text}");
        };
        let other = Header { port: PORT_VERSION + 1, ..header.clone() };
        says(
            &other,
            &format!("version {} of the register port; expected version {PORT_VERSION}", other.port),
        );
        let other = Header { top: "old_top".to_owned(), ..header.clone() };
        says(&other, "of the top module 'old_top'; design 'baseline' has 'baseline_top'");
        let (name, value) = header.generics.iter().next().map(|(n, v)| (n.clone(), *v)).expect("a parameter");
        let changed = BTreeMap::from([(name.clone(), value + 1)]);
        let mut other = header.clone();
        other.generics.extend(changed);
        let text = format!("with {name} = {}, which the design as it is elaborates with {value}", value + 1);
        says(&other, &text);
        let mut other = header.clone();
        other.generics.insert("Gone".to_owned(), 3);
        says(&other, "with Gone = 3, which the design as it is elaborates with nothing");
    }
}
