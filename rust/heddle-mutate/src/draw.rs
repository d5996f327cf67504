//! Which mutants are judged.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

use crate::site::Site;

/// Draws `count` tokens of those that `sites` change, or all where there are fewer, and one of the mutants of each.
/// Every token is as likely as every other; equal seeds draw equal mutants, and more of them begin with the
/// same ones.
#[must_use]
pub fn draw(sites: Vec<Site>, count: usize, seed: &str) -> Vec<Site> {
    let mut tokens: BTreeMap<(PathBuf, usize, String), Vec<Site>> = BTreeMap::new();
    for site in sites {
        tokens.entry((site.file.clone(), site.at, site.operator.clone())).or_default().push(site);
    }
    let mut drawn: Vec<([u8; 32], Site)> = Vec::new();
    for (token, mut mutants) in tokens {
        let lot = lot(seed, &token);
        let chosen = usize::from(lot[31]) % mutants.len();
        drawn.push((lot, mutants.swap_remove(chosen)));
    }
    drawn.sort_by_key(|(lot, _)| *lot);
    drawn.into_iter().take(count).map(|(_, site)| site).collect()
}

/// The place of a token among all: a hash of the seed and of where it is.
fn lot(seed: &str, (file, at, operator): &(PathBuf, usize, String)) -> [u8; 32] {
    Sha256::digest(format!("{seed}\n{}\n{at}\n{operator}", file.display())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(at: usize, mutant: &str) -> Site {
        Site {
            file: "rtl/a.sv".into(),
            line: 1,
            column: at,
            operator: "index".into(),
            start: at,
            end: at + 1,
            at,
            token: "i".into(),
            mutant: mutant.into(),
            original: "i".into(),
            replacement: mutant.into(),
        }
    }

    #[test]
    fn a_token_is_drawn_once_and_the_seed_decides() {
        let sites: Vec<Site> = (0..50).flat_map(|at| [site(at, "i + 1"), site(at, "i - 1")]).collect();
        let all = draw(sites.clone(), 100, "a");
        assert_eq!(all.len(), 50);
        assert!(["i + 1", "i - 1"].iter().all(|wanted| all.iter().any(|site| site.mutant == *wanted)));
        assert_eq!(draw(sites.clone(), 7, "a")[..], all[..7]);
        assert_ne!(draw(sites, 7, "b")[..], all[..7]);
    }
}
