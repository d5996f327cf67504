//! Register mappings from a profile run: which rows of each bank follow each other, and where they lie then.

use std::collections::BTreeMap;

use heddle_designs::front::{Locate, Place};
use heddle_passes::{EntryMapping, MoveCounts, map_rows};
use heddle_port::{CommandOp, DesignError, NUM_WARPS, PortConfig, RegIn, RegOut, RegisterFile};
use heddle_rtl::MappingTables;
use heddle_sm::{MAP_BLOCK_ENTRIES, MapBlock};

/// The mapping of each entry of a kernel, and the blocks to load for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mappings {
    entries: BTreeMap<String, (EntryMapping, Vec<MapBlock>)>,
    profiled: bool,
}

impl Mappings {
    /// Those that algorithms 1 and 2 make of the profile of each entry.
    pub(crate) fn of_profiles(profiles: BTreeMap<String, Profile>, tables: MappingTables) -> Self {
        let entries = profiles.into_iter().map(|(name, profile)| {
            let mapping = mapped(&name, profile, tables);
            let blocks = blocks(&mapping);
            (name, (mapping, blocks))
        });
        Self { entries: entries.collect(), profiled: true }
    }

    /// Of a run that is not profiled although its preset asks for it: rows lie in ascending order.
    pub(crate) fn ascending() -> Self {
        Self { entries: BTreeMap::new(), profiled: true }
    }

    /// Whether there is nothing left to profile.
    pub(crate) fn are_made(&self) -> bool {
        self.profiled
    }

    /// Those that were made, by name of the entry.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &EntryMapping> {
        self.entries.values().map(|(mapping, _)| mapping)
    }

    /// Blocks of the entry `name`; none where nothing was profiled.
    pub(crate) fn of(&self, name: &str) -> &[MapBlock] {
        self.entries.get(name).map_or(&[], |(_, blocks)| blocks)
    }
}

/// What the profile counts for an entry.
pub(crate) struct Profile {
    registers_per_warp: u32,
    locate: Locate,
    banks: Vec<MoveCounts>,
}

impl Profile {
    /// Nothing counted in so many banks, of an entry with so many registers for each warp.
    pub(crate) fn new(registers_per_warp: u32, tables: MappingTables, banks: usize) -> Self {
        let locate = Locate::new(banks, tables.rows() as u16).interleaved(tables.interleaved);
        Self { registers_per_warp, locate, banks: vec![MoveCounts::new(tables.rows()); banks] }
    }

    /// An access of register `register` of the warp in slot `warp`, whose registers begin at `base`. What lies beyond the
    /// rows is the model's to refuse.
    fn access(&mut self, base: u16, warp: u8, register: u8) {
        if let Ok(Place { bank, row }) = self.locate.place(base, warp, register) {
            self.banks[usize::from(bank)].access(row.into());
        }
    }
}

/// A register file whose accesses are counted at its port: sources in the order of issue, results in that of
/// their handshakes.
pub(crate) struct Profiler<'a> {
    inner: &'a mut (dyn RegisterFile + Send),
    profile: &'a mut Profile,
    base: [u16; NUM_WARPS],
    before: RegOut,
}

impl<'a> Profiler<'a> {
    pub(crate) fn new(inner: &'a mut (dyn RegisterFile + Send), profile: &'a mut Profile) -> Self {
        Self { inner, profile, base: [0; NUM_WARPS], before: RegOut::default() }
    }

    fn access(&mut self, warp: u8, register: u8) {
        self.profile.access(self.base[usize::from(warp)], warp, register);
    }
}

impl RegisterFile for Profiler<'_> {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.profile.banks.iter_mut().for_each(MoveCounts::interrupt);
        self.before = self.inner.reset(config)?;
        Ok(self.before)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        for (issue, ready) in input.issue.iter().zip(self.before.issue_ready) {
            if issue.valid && ready {
                for (slot, &register) in issue.source.iter().enumerate() {
                    if issue.source_valid >> slot & 1 != 0 {
                        self.access(issue.warp, register);
                    }
                }
            }
        }
        for (result, ready) in input.result.iter().zip(self.before.result_ready) {
            if result.valid && ready {
                self.access(result.warp, result.register);
            }
        }
        let command = &input.command;
        if command.valid && command.op == CommandOp::WarpBase as u8 {
            self.base[usize::from(command.warp)] = command.value;
        }
        self.inner.step(input, out)?;
        self.before = *out;
        Ok(())
    }
}

/// The blocks that load the tables of all banks.
fn blocks(mapping: &EntryMapping) -> Vec<MapBlock> {
    let mut blocks = Vec::new();
    for (_, bank) in &mapping.banks {
        for rows in bank.places.chunks(MAP_BLOCK_ENTRIES) {
            let mut entries = [0; MAP_BLOCK_ENTRIES];
            for (entry, place) in entries.iter_mut().zip(rows) {
                *entry = (place.port * mapping.offsets + place.offset) as u8;
            }
            blocks.push(MapBlock { index: blocks.len() as u16, entries });
        }
    }
    blocks
}

/// The mapping that algorithms 1 and 2 make of the profile of entry `entry`.
fn mapped(entry: &str, profile: Profile, tables: MappingTables) -> EntryMapping {
    let map = |moves: MoveCounts| {
        let mapping = map_rows(&moves, tables.ports);
        (moves, mapping)
    };
    EntryMapping {
        entry: entry.to_owned(),
        registers_per_warp: profile.registers_per_warp,
        ports: tables.ports,
        offsets: tables.offsets,
        banks: profile.banks.into_iter().map(map).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Locate, Profile, blocks, mapped};
    use heddle_passes::MoveCounts;
    use heddle_rtl::MappingTables;

    /// Warp registers 19 and 35 lie in rows 1 and 2 of bank 3, or interleaved in those of banks 4 and 5.
    #[test]
    fn the_profile_has_registers_where_the_design_has_them() {
        let profile = |interleaved| {
            let mut profile = Profile::new(16, MappingTables { ports: 8, offsets: 16, interleaved }, 16);
            profile.access(16, 2, 3);
            profile.access(16, 2, 19);
            profile.banks
        };
        let of = |rows: &[usize]| MoveCounts::of(128, rows);
        assert_eq!(profile(false)[3..6], [of(&[1, 2]), of(&[]), of(&[])]);
        assert_eq!(profile(true)[3..6], [of(&[]), of(&[1]), of(&[2])]);
    }

    #[test]
    fn the_blocks_name_every_place_of_a_bank_once() {
        let banks = vec![MoveCounts::of(128, &[1, 50, 1, 50, 7, 90, 7]); 16];
        let profile = Profile { registers_per_warp: 20, locate: Locate::new(16, 128), banks };
        let blocks =
            blocks(&mapped("k", profile, MappingTables { ports: 8, offsets: 16, interleaved: false }));
        assert_eq!(blocks.len(), 4 * 16);
        for bank in blocks.chunks(4) {
            let mut entries: Vec<u8> = bank.iter().flat_map(|b| b.entries).collect();
            entries.sort_unstable();
            assert_eq!(entries, (0..128).collect::<Vec<u8>>());
        }
        assert!(blocks.iter().enumerate().all(|(i, b)| usize::from(b.index) == i));
    }
}
