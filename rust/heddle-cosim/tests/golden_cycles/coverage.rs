//! Every counted event of a design is raised by some kernel of the suite, in the design or a variant of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::Deserialize;

use super::measure::{file, folder, manifests};
use super::record::{FLUSH, Record};

/// Events that are never raised, with the reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unseen {
    event: Vec<UnseenEvent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnseenEvent {
    name: String,
    designs: BTreeSet<String>,
    reason: String,
}

/// How often each counted event of each design is raised, by design and event; those of a flush are added.
fn raised() -> BTreeMap<(String, String), u64> {
    let mut raised = BTreeMap::new();
    for manifest in manifests() {
        let called = manifest.called();
        let text = fs::read_to_string(file(&called)).expect("its golden file");
        let record = Record::parse(&text).expect("a golden file");
        for event in manifest.events.iter().filter(|event| event.counted) {
            let names = [event.name.clone(), format!("{FLUSH}{}", event.name)];
            let numbers =
                record.kernels.values().flat_map(|numbers| names.iter().filter_map(|n| numbers.get(n)));
            *raised.entry((manifest.name.clone(), event.name.clone())).or_default() += numbers.sum::<u64>();
        }
    }
    raised
}

#[test]
fn every_counted_event_is_raised_by_the_suite_or_listed_with_its_reason() {
    let text = fs::read_to_string(folder().join("unseen.toml")).expect("the list");
    let listed: Unseen = toml::from_str(&text).expect("a list of events");
    assert!(listed.event.iter().all(|event| !event.reason.is_empty()));
    let listed: BTreeSet<(String, String)> = listed
        .event
        .into_iter()
        .flat_map(|event| event.designs.into_iter().map(move |design| (design, event.name.clone())))
        .collect();
    let never = raised().into_iter().filter(|(_, count)| *count == 0).map(|(event, _)| event);
    let never: BTreeSet<(String, String)> = never.collect();
    let [unlisted, stale] = [never.difference(&listed), listed.difference(&never)].map(|events| {
        events.map(|(design, event)| format!("{design} {event}")).collect::<Vec<_>>().join(", ")
    });
    assert!(
        unlisted.is_empty() && stale.is_empty(),
        "never raised and not in unseen.toml: [{unlisted}]; in unseen.toml, but raised or not counted: [{stale}]"
    );
}
