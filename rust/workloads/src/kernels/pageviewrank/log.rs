//! The text of pages and their views, and what map and group make of it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::arg;
use crate::inputs::{permutation, string};
use crate::random::SplitMix64;

/// Views of the most viewed page, for each page. That of rank `r` has `r` times fewer, so most pages share theirs.
const MOST: u32 = 8;
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

/// Lines of an address, a tab and a number of views. No address is there twice.
pub(super) struct Log {
    /// The lines.
    pub text: Vec<u8>,
    /// Where each line begins.
    pub begins: Vec<u32>,
}

/// What the kernels leave.
pub(super) struct Expected {
    /// Numbers of views in the order in which they are emitted.
    pub keys: Vec<u32>,
    /// Addresses in this order, each with a zero.
    pub values: Vec<u8>,
    /// Places and sizes of key and value, in order of rank.
    pub directory: Vec<[i32; 4]>,
    /// The first rank of each number of views.
    pub groups: Vec<u32>,
}

impl Log {
    /// Pages of a few large and many small sites. Many pages of low rank share a number of views.
    pub fn random(random: &mut SplitMix64, lines: usize) -> Self {
        let sites: Vec<String> = (0..lines.div_ceil(20)).map(|_| word(random, 3, 9)).collect();
        let mut log = Self { text: Vec::new(), begins: Vec::new() };
        let most = MOST * arg(lines);
        for rank in permutation(random, arg(lines)) {
            // The lower of two draws: sites at the front have more pages.
            let draw = random.below(arg(sites.len())).min(random.below(arg(sites.len())));
            let site = &sites[draw as usize];
            let (folder, views) = (word(random, 2, 10), most / (rank + 1));
            log.begins.push(arg(log.text.len()));
            let line = format!("http://www.{site}.com/{folder}/{rank}.html\t{views}\n");
            log.text.extend(line.bytes());
        }
        log
    }

    /// Lines.
    pub fn len(&self) -> usize {
        self.begins.len()
    }

    /// Addresses and views, line by line.
    fn pages(&self) -> Vec<(&[u8], u32)> {
        let page = |line| {
            let mut fields = <[u8]>::split(line, |&byte| byte == b'\t');
            let address = fields.next().unwrap_or_default();
            let digits = fields.next().unwrap_or_default();
            (address, digits.iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0')))
        };
        self.text.split(|&byte| byte == b'\n').take(self.len()).map(page).collect()
    }

    /// Bytes of all addresses.
    pub fn address_bytes(&self) -> usize {
        self.pages().iter().map(|(address, _)| address.len()).sum()
    }

    /// Different numbers of views.
    pub fn distinct_views(&self) -> usize {
        self.pages().iter().map(|&(_, views)| views).collect::<BTreeSet<_>>().len()
    }

    /// The result. A block of `tasks` takes `tasks * per_task` lines, task `t` those at `t`, `t + tasks`, ... of them, and emits
    /// them one after the other.
    pub fn expected(&self, tasks: usize, per_task: usize) -> Expected {
        let pages = self.pages();
        let emitted: Vec<(&[u8], u32)> = pages
            .chunks(tasks * per_task)
            .flat_map(|block| (0..tasks).flat_map(move |task| block.iter().skip(task).step_by(tasks)))
            .copied()
            .collect();
        let mut ranked = Vec::new();
        let mut values = Vec::new();
        for (pair, &(address, views)) in (0..).zip(&emitted) {
            let bytes = address.len() as i32 + 1;
            ranked.push((Reverse(views), address, [4 * pair, 4, values.len() as i32, bytes]));
            values.extend_from_slice(address);
            values.push(0);
        }
        ranked.sort_unstable();
        let keys = emitted.iter().map(|&(_, views)| views).collect();
        let directory = ranked.iter().map(|&(.., pair)| pair).collect();
        let first = |&rank: &usize| rank == 0 || ranked[rank].0 != ranked[rank - 1].0;
        let groups = (0..ranked.len()).filter(first).map(arg).collect();
        Expected { keys, values, directory, groups }
    }
}

/// A word of `least` letters and fewer than `more` beyond.
fn word(random: &mut SplitMix64, least: usize, more: u32) -> String {
    let letters = least + random.below(more) as usize;
    string(random, letters, LETTERS).into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_by_hand() {
        let text = b"b\t7\nccc\t12\na\t7\n".to_vec();
        let log = Log { text, begins: vec![0, 4, 11] };
        assert_eq!((log.address_bytes(), log.distinct_views()), (5, 2));
        // Two tasks: the first takes lines 0 and 2.
        let expected = log.expected(2, 2);
        assert_eq!(expected.keys, [7, 7, 12]);
        assert_eq!(expected.values, b"b\0a\0ccc\0");
        assert_eq!(expected.directory, [[8, 4, 4, 4], [4, 4, 2, 2], [0, 4, 0, 2]]);
        assert_eq!(expected.groups, [0, 1]);
    }

    #[test]
    fn addresses_are_unique_and_many_pages_share_their_views() {
        let log = Log::random(&mut SplitMix64::new(1, 0), 2_000);
        let pages = log.pages();
        let addresses: BTreeSet<_> = pages.iter().map(|(address, _)| address).collect();
        assert_eq!((addresses.len(), pages.len()), (2_000, 2_000));
        assert!(log.distinct_views() < 1_000 && pages.iter().all(|&(_, views)| views > 0));
        for (&begin, (address, _)) in log.begins.iter().zip(&pages) {
            assert!(log.text[begin as usize..].starts_with(address));
        }
    }

    #[test]
    fn even_few_pages_need_their_addresses_compared_into_the_folder() {
        let log = Log::random(&mut SplitMix64::new(1, 0), 300);
        let mut pages = log.pages();
        pages.sort_unstable_by_key(|&(address, views)| (Reverse(views), address));
        let site = |address: &[u8]| address.split(|&byte| byte == b'.').nth(1).map(<[u8]>::to_vec);
        let shared: Vec<_> = pages.windows(2).filter(|two| two[0].1 == two[1].1).collect();
        assert!(shared.len() > 150, "{}", shared.len());
        assert!(shared.iter().filter(|two| site(two[0].0) == site(two[1].0)).count() > 20);
    }

    #[test]
    fn tasks_emit_every_page_once() {
        let log = Log::random(&mut SplitMix64::new(2, 0), 77);
        let mut views: Vec<u32> = log.pages().iter().map(|&(_, views)| views).collect();
        let mut keys = log.expected(8, 3).keys;
        views.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, views);
    }
}
