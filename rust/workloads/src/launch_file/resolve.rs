//! A launch file meets the kernels that it launches.

use heddle_isa::Program;

use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use super::run::LaunchRun;
use super::spec::LaunchSpec;
use super::table::Position;
use super::{LaunchFile, MAX_TOTAL_BYTES};

/// Dynamic shared memory begins at a multiple of this.
const SHARED_ALIGNMENT: u32 = 16;

impl LaunchFile {
    /// For each launch the index of its entry in `known`, the entries of the PTX.
    ///
    /// # Errors
    /// When an entry is not there, or none is named and there are several.
    pub fn entries(&self, known: &[&str]) -> Result<Vec<usize>, LaunchFileError> {
        self.launches.iter().map(|launch| self.entry(launch, known)).collect()
    }

    fn entry(&self, launch: &LaunchSpec, known: &[&str]) -> Result<usize, LaunchFileError> {
        match (&launch.entry, known) {
            (Some((name, at)), _) => known.iter().position(|k| k == name).ok_or_else(|| {
                let help = match known {
                    [] => "; it has none".to_owned(),
                    _ => heddle_suggest::hint_and_list(name, known.iter().copied(), "it has"),
                };
                self.error(*at, Kind::UnknownEntry { name: name.clone(), help })
            }),
            (None, [_]) => Ok(0),
            (None, _) => {
                let known = known.iter().map(|&k| k.to_owned()).collect();
                Err(self.error(launch.at, Kind::NoEntry { known }))
            }
        }
    }

    /// Whether every launch fits the shared memory of an SM, `available` bytes.
    ///
    /// # Errors
    /// The launch that does not.
    pub fn check_shared_memory(&self, programs: &[&Program], available: u32) -> Result<(), LaunchFileError> {
        let names: Vec<&str> = programs.iter().map(|p| p.name.as_str()).collect();
        for launch in &self.launches {
            let program = programs[self.entry(launch, &names)?];
            let fixed = program.shared_bytes.next_multiple_of(SHARED_ALIGNMENT);
            if launch.dynamic_shared_bytes > available.saturating_sub(fixed) {
                let key = "dynamic_shared_bytes".into();
                let value = launch.dynamic_shared_bytes.to_string();
                let expected = format!(
                    "at most {}: a CTA can have {available} bytes of shared memory (shared_memory.bytes of the preset, and off chip at \
                     most 131072), '{}' declares {}",
                    available.saturating_sub(fixed),
                    program.name,
                    program.shared_bytes
                );
                return Err(self.error(launch.shared_at, Kind::OutOfRange { key, value, expected }));
            }
        }
        Ok(())
    }

    /// A run of this file on `programs`, one for each entry that it launches; reads the data files that it
    /// names. Buffers that are filled at random and name no seed take `seed`.
    ///
    /// # Errors
    /// When the arguments are not the parameters of the kernels, a data file is not as its buffer, or an
    /// output cannot be written.
    pub fn instance(&self, programs: &[&Program], seed: u64) -> Result<LaunchRun, LaunchFileError> {
        let names: Vec<&str> = programs.iter().map(|p| p.name.as_str()).collect();
        let mut run = LaunchRun::new(&self.name, seed, self.repeat);
        for spec in &self.buffers {
            let buffer = self.buffer(spec, spec.name.clone().unwrap_or_default())?;
            run.buffers.push(buffer);
        }
        let count = run.buffers.len();
        self.resolve_addresses(self.buffers.iter(), &mut run.buffers, 0, count)?;
        for spec in &self.symbols {
            self.symbol(spec, programs.first().copied(), &mut run)?;
        }
        run.textures = self.run_textures(&run.buffers, programs.first().copied())?;
        for launch in &self.launches {
            let program = programs[self.entry(launch, &names)?];
            let launch = self.launch(launch, program, &mut run.buffers)?;
            run.launches.push(launch);
        }
        let total = run.bytes();
        if total > MAX_TOTAL_BYTES {
            let (key, value) = ("buffers".into(), format!("{total} bytes together"));
            let kind = Kind::OutOfRange { key, value, expected: format!("at most {MAX_TOTAL_BYTES}") };
            return Err(LaunchFileError::whole(&self.name, kind));
        }
        Ok(run)
    }

    pub(super) fn error(&self, at: Position, kind: Kind) -> LaunchFileError {
        LaunchFileError::at(&self.name, at, kind)
    }
}
