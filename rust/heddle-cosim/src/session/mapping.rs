//! The profile run that a register mapping is made of.

use std::collections::BTreeMap;

use heddle_config::RowMapping;
use heddle_passes::{EntryMapping, MOST_GROUPS};
use heddle_port::RegisterFile;
use heddle_rtl::MappingTables;

use super::{Session, Work};
use crate::control::{Control, Pacer};
use crate::design::refused;
use crate::error::RunError;
use crate::lockstep::run_sim;
use crate::mapping::{Mappings, Profile, Profiler};
use crate::totals::Totals;

impl Session {
    /// The mappings that [`Session::profile_mappings`] made, by name of the entry.
    pub fn mappings(&self) -> impl Iterator<Item = &EntryMapping> {
        self.mappings.entries()
    }

    /// The tables that a mapping is made for.
    fn mapping_tables(&self) -> Result<MappingTables, RunError> {
        let refused =
            |what: String| Err(RunError::usage(format!("register_file.mapping = profiled: {what}")));
        let name = self.design.manifest.called();
        let parameters = &self.design.instance.parameters;
        let Some(tables) = self.design.manifest.mapping_tables(parameters).map_err(RunError::usage)? else {
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
        if !wanted || self.mappings.are_made() {
            return Ok(());
        }
        let tables = self.mapping_tables()?;
        if matches!(self.work, Work::Trace(_)) {
            control.warning("a trace is not profiled: register rows lie in ascending order");
            self.mappings = Mappings::ascending();
            return Ok(());
        }
        control.stage("profiling register accesses for the mapping");
        let banks = self.design.main_banks();
        let mut profiles: BTreeMap<String, Profile> = BTreeMap::new();
        let mut host = self.kernel()?.host_side()?;
        let mut model = self.model()?;
        let mut pacer = Pacer::new();
        let mut totals = Totals::new(&self.design.manifest.events, &self.design.instance.events);
        let mut lower = None;
        while let Some(launch) = host.next_launch()? {
            let entry = self.kernel()?.entry(&launch.entry)?;
            let choice = self.ctas_of_one();
            let mut sm = self.sm(&entry, &launch.launch, host.take_memory(), choice)?.with_lower(lower);
            let profile = profiles
                .entry(entry.executable.program.name.clone())
                .or_insert_with(|| Profile::new(sm.occupancy().registers_per_warp, tables, banks));
            let mut profiler = Profiler::new(model.as_mut(), profile);
            let out = profiler.reset(&self.design.config).map_err(refused)?;
            let ctas = choice.count(launch.launch.num_ctas());
            let mut context = self.context(&launch.entry, ctas, &mut totals, &mut *control, &mut pacer);
            let registers = entry.executable.program.num_regs;
            run_sim(&mut context, &mut sm, &mut profiler, out, registers, &mut (), None)?;
            totals.launched(&entry.executable, ctas, &sm);
            let (memory, after) = sm.into_parts();
            (host.memory, lower) = (memory, after);
            self.run_others((&entry, &launch.launch), &mut host, choice, &*control, &mut ())?;
        }
        self.mappings = Mappings::of_profiles(profiles, tables);
        Ok(())
    }
}
