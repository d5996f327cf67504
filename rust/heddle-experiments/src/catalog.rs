//! What an experiment may name.

use std::path::{Path, PathBuf};

use heddle_cosim::RunError;
use heddle_manifest::Manifest;

/// The repository, and the keys of the rows that its runs give.
#[derive(Debug, Clone)]
pub struct Catalog {
    root: PathBuf,
    measures: Vec<String>,
    open: Vec<String>,
}

impl Catalog {
    /// The designs of the repository at `root`, and `keys`, the numbers in a row of `heddle sim`: `ipc`,
    /// `statistics.cycles`, and `events.*` for any name; those of events are named by the designs.
    ///
    /// # Errors
    /// [`RunError::Usage`]: a manifest that cannot be read.
    pub fn new(root: &Path, keys: impl IntoIterator<Item = String>) -> Result<Self, RunError> {
        let manifests = Manifest::load_all(root).map_err(RunError::usage)?;
        let mut measures: Vec<String> = Vec::new();
        let mut open = Vec::new();
        for key in keys {
            match key.strip_suffix('*') {
                Some("events." | "flush_events.") => {
                    let counted = manifests.iter().flat_map(|m| &m.events).filter(|event| event.counted);
                    let names = counted.flat_map(|event| {
                        let end = event.at_end.map(|_| format!("{}_at_end", event.name));
                        std::iter::once(event.name.clone()).chain(end)
                    });
                    measures.extend(names.map(|name| key.replace('*', &name)));
                }
                Some(table) => open.push(table.to_owned()),
                None => measures.push(key),
            }
        }
        measures.sort_unstable();
        measures.dedup();
        Ok(Self { root: root.to_owned(), measures, open })
    }

    /// The repository.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a row can have a number of that key.
    ///
    /// # Errors
    /// That it cannot, with the nearest key.
    pub fn check_measure(&self, key: &str) -> Result<(), String> {
        let open = self.open.iter().any(|table| key.len() > table.len() && key.starts_with(table.as_str()));
        if open || self.measures.binary_search_by(|known| known.as_str().cmp(key)).is_ok() {
            return Ok(());
        }
        let near = heddle_suggest::hint(key, self.measures.iter().map(String::as_str));
        Err(format!("no row of results has a number '{key}'{near}; `heddle list keys` names them"))
    }
}

/// Whether runs of a design can have the number of a key that rows have: events are those that the design counts.
pub fn is_counted(key: &str, manifest: &Manifest) -> bool {
    let event = key.strip_prefix("events.").or_else(|| key.strip_prefix("flush_events."));
    event.is_none_or(|name| {
        manifest.events.iter().filter(|event| event.counted).any(|event| {
            let at_end = event.at_end.and_then(|_| name.strip_suffix("_at_end"));
            [Some(name), at_end].contains(&Some(event.name.as_str()))
        })
    })
}
