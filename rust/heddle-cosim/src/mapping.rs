//! Register mappings from a profile run: which rows of each bank follow each other, and where they lie then.

use std::collections::BTreeMap;

use heddle_config::RowMapping;
use heddle_passes::{EntryMapping, MOST_GROUPS, MoveCounts, map_rows};
use heddle_port::{CommandOp, DesignError, NUM_WARPS, PortConfig, RegIn, RegOut, RegisterFile};
use heddle_rtl::MappingTables;
use heddle_sm::{MAP_BLOCK_ENTRIES, MapBlock};

use crate::control::{Control, Pacer};
use crate::design::{MAIN_BANKS, refused};
use crate::error::RunError;
use crate::lockstep::run_sim;
use crate::session::{Session, Work};
use crate::totals::Totals;

/// The mapping of each entry of a kernel, and the blocks to load for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mappings {
    entries: BTreeMap<String, (EntryMapping, Vec<MapBlock>)>,
    profiled: bool,
}

impl Mappings {
    /// Blocks of the entry `name`; none where nothing was profiled.
    pub(crate) fn of(&self, name: &str) -> &[MapBlock] {
        self.entries.get(name).map_or(&[], |(_, blocks)| blocks)
    }
}

/// What the profile counts for an entry.
struct Profile {
    registers_per_warp: u32,
    banks: Vec<MoveCounts>,
}

/// A register file whose accesses are counted at its port: sources in the order of issue, results in that of
/// their handshakes.
struct Profiler<'a> {
    inner: &'a mut (dyn RegisterFile + Send),
    banks: &'a mut [MoveCounts],
    base: [u16; NUM_WARPS],
    before: RegOut,
}

impl Profiler<'_> {
    fn access(&mut self, warp: u8, register: u8) {
        let index = usize::from(self.base[usize::from(warp)].wrapping_add(u16::from(register)));
        self.banks[index % MAIN_BANKS as usize].access(index / MAIN_BANKS as usize);
    }
}

impl RegisterFile for Profiler<'_> {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.banks.iter_mut().for_each(MoveCounts::interrupt);
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

impl Session {
    /// The mappings that [`Session::profile_mappings`] made, by name of the entry.
    pub fn mappings(&self) -> impl Iterator<Item = &EntryMapping> {
        self.mappings.entries.values().map(|(mapping, _)| mapping)
    }

    /// The tables that a mapping is made for.
    fn mapping_tables(&self) -> Result<MappingTables, RunError> {
        let refused =
            |what: String| Err(RunError::usage(format!("register_file.mapping = profiled: {what}")));
        let name = self.design.manifest.called();
        let Some(tables) = self.design.manifest.mapping else {
            return refused(format!("design '{name}' has no mapping tables"));
        };
        let (in_use, rows) = (usize::from(self.design.config.rows_per_bank), tables.rows());
        if in_use > rows {
            return refused(format!("the tables of '{name}' have {rows} rows, {in_use} are in use"));
        }
        if tables.offsets > MOST_GROUPS {
            return refused(format!("{} offsets a port, at most {MOST_GROUPS} are arranged", tables.offsets));
        }
        Ok(tables)
    }

    /// Profiles the kernel where the preset asks for a profiled mapping, once: a run of the cycle model with
    /// the rows in ascending order, then the mapping of each entry. [`Session::run`] does it where it was not
    /// done before. A trace is not profiled: its rows stay in ascending order, with a warning.
    ///
    /// # Errors
    /// As a run of the cycle model, and [`RunError::Usage`] for a design without tables of the right size.
    pub fn profile_mappings(&mut self, control: &mut dyn Control) -> Result<(), RunError> {
        let wanted = self.design.preset.register_file.mapping == RowMapping::Profiled;
        if !wanted || self.mappings.profiled {
            return Ok(());
        }
        let tables = self.mapping_tables()?;
        if matches!(self.work, Work::Trace(_)) {
            control.warning("a trace is not profiled: register rows lie in ascending order");
            self.mappings.profiled = true;
            return Ok(());
        }
        control.stage("profiling register accesses for the mapping");
        let mut profiles: BTreeMap<String, Profile> = BTreeMap::new();
        let mut host = self.kernel()?.host_side()?;
        let mut model = self.model()?;
        let mut pacer = Pacer::new();
        let mut totals = Totals::new(&self.design.manifest.events);
        while let Some(launch) = host.next_launch()? {
            let entry = self.kernel()?.entry(&launch.entry)?;
            let choice = self.ctas();
            let mut sm = self.sm(&entry, &launch.launch, host.take_memory(), choice)?;
            let profile = profiles.entry(entry.executable.program.name.clone()).or_insert_with(|| Profile {
                registers_per_warp: sm.occupancy().registers_per_warp,
                banks: vec![MoveCounts::new(tables.rows()); MAIN_BANKS as usize],
            });
            let banks = &mut profile.banks;
            let mut profiler =
                Profiler { inner: model.as_mut(), banks, base: [0; NUM_WARPS], before: RegOut::default() };
            let out = profiler.reset(&self.design.config).map_err(refused)?;
            let ctas = choice.count(launch.launch.num_ctas());
            let mut context = self.context(&launch.entry, ctas, &mut totals, &mut *control, &mut pacer);
            let registers = entry.executable.program.num_regs;
            run_sim(&mut context, &mut sm, &mut profiler, out, registers, &mut (), None)?;
            totals.launched(&entry.executable, ctas, &sm);
            host.memory = sm.into_memory();
            self.run_others(&entry, &launch.launch, &mut host, choice, &*control)?;
        }
        let entries = profiles.into_iter().map(|(name, profile)| {
            let mapping = mapped(&name, profile, tables);
            let blocks = blocks(&mapping);
            (name, (mapping, blocks))
        });
        let entries = entries.collect();
        self.mappings = Mappings { entries, profiled: true };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAIN_BANKS, Profile, blocks, mapped};
    use heddle_passes::MoveCounts;
    use heddle_rtl::MappingTables;

    #[test]
    fn the_blocks_name_every_place_of_a_bank_once() {
        let banks = vec![MoveCounts::of(128, &[1, 50, 1, 50, 7, 90, 7]); MAIN_BANKS as usize];
        let profile = Profile { registers_per_warp: 20, banks };
        let blocks = blocks(&mapped("k", profile, MappingTables { ports: 8, offsets: 16 }));
        assert_eq!(blocks.len(), 4 * MAIN_BANKS as usize);
        for bank in blocks.chunks(4) {
            let mut entries: Vec<u8> = bank.iter().flat_map(|b| b.entries).collect();
            entries.sort_unstable();
            assert_eq!(entries, (0..128).collect::<Vec<u8>>());
        }
        assert!(blocks.iter().enumerate().all(|(i, b)| usize::from(b.index) == i));
    }
}
