//! What the tests of the crate share.

use heddle_config::Preset;

/// The Maxwell preset.
pub fn preset() -> Preset {
    heddle_config::load("maxwell").expect("the maxwell preset exists")
}
