//! What there is in the repository.

use std::path::{Path, PathBuf};

use heddle_claims::Stock;
use heddle_experiments::{Catalog, Scale};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The numbers that a row can have, as the command line names them.
fn keys() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("rust/heddle/src/keys.toml")).expect("the dictionary");
    let table: toml::Table = text.parse().expect("TOML");
    let keys = table["run"]["keys"].as_table().expect("the keys of a run");
    keys.keys().flat_map(|key| one_by_one(key)).collect()
}

/// `a.{b,c}` stands for `a.b` and `a.c`.
fn one_by_one(key: &str) -> Vec<String> {
    let Some((before, (inside, after))) =
        key.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return vec![key.to_owned()];
    };
    inside.split(',').flat_map(|one| one_by_one(&format!("{before}{one}{after}"))).collect()
}

/// What there is in the repository, its experiments at scale smoke.
pub fn stock() -> Stock {
    stock_at(Scale::Smoke)
}

/// The same at a scale.
pub fn stock_at(scale: Scale) -> Stock {
    Stock::load(Catalog::new(&root(), keys()).expect("the designs"), scale).expect("what there is")
}
