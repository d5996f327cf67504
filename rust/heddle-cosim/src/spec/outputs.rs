//! What a run reads and writes, and under which names.

use std::path::Path;

use heddle_files::same_file;
use heddle_workloads::launch_file::LaunchFile;

use super::{Engine, Kernel, RunSpec, SEED};
use crate::error::RunError;

impl RunSpec {
    /// With what the names of files in the results folder begin: what runs, then the seed, where it is not the usual
    /// one, and the planted bug.
    pub(crate) fn stem(&self) -> String {
        let mut stem = format!("{}-{}-{}", self.design, self.kernel_name(), self.size_name())
            .trim_end_matches("--")
            .trim_end_matches('-')
            .to_owned();
        if self.seed != SEED {
            stem.push_str(&format!("-seed{}", self.seed));
        }
        if let Some(fault) = &self.fault {
            stem.push_str(&format!("-{}", fault.id));
            stem.extend(fault.sm.map(|sm| format!("-in-sm{sm}")));
        }
        stem
    }

    /// With what the names of the waveforms of SM `sm` begin, in a run that is called `name`.
    pub(crate) fn wave_stem(&self, name: &str, sm: u32) -> String {
        if self.sms == 1 { name.to_owned() } else { format!("{name}-sm{sm}") }
    }

    /// Files that the run reads, with what they are: the kernel's, and the preset where it is a file.
    fn inputs(&self) -> Vec<(&'static str, &Path)> {
        let mut inputs: Vec<(&'static str, &Path)> = match &self.kernel {
            Kernel::Workload { .. } | Kernel::Made(_) => Vec::new(),
            Kernel::Input { files, .. } => files.iter().map(|f| ("the input", f.as_path())).collect(),
            Kernel::File { ptx, link, launch } => [("the PTX", ptx), ("the launch file", launch)]
                .into_iter()
                .chain(link.iter().map(|file| ("a linked module", file)))
                .map(|(what, file)| (what, file.as_path()))
                .collect(),
            Kernel::Trace(path) => vec![("the trace", path)],
        };
        inputs.extend(self.preset.as_deref().map(|preset| ("the preset", Path::new(preset))));
        inputs
    }

    /// Whether no file in the results folder is one that the run reads.
    ///
    /// # Errors
    /// [`RunError::Usage`] with both.
    pub(crate) fn check_results(&self) -> Result<(), RunError> {
        if self.engine == Engine::Sim {
            return Ok(());
        }
        let waves = self.rtl_sms().into_iter().flat_map(|sm| {
            ["vcd", "fst", "gtkw", "sucl"]
                .map(|extension| format!("{}.{extension}", self.wave_stem(&self.stem(), sm)))
        });
        for name in waves.chain([format!("{}.mismatch.json", self.stem())]) {
            let file = self.results.join(name);
            if let Some((what, input)) = self.inputs().into_iter().find(|(_, i)| same_file(&file, i)) {
                let (file, input) = (file.display(), input.display());
                let advice = "choose another folder with --results";
                return Err(RunError::usage(format!(
                    "{file} would be written over {what} {input}; {advice}"
                )));
            }
        }
        Ok(())
    }

    /// Whether no output of the launch file is a file that the run reads.
    ///
    /// # Errors
    /// [`RunError::Usage`] with the place of the output.
    pub(crate) fn check_outputs(&self, launch: &LaunchFile) -> Result<(), RunError> {
        launch.check_outputs(&self.inputs()).map_err(RunError::usage)
    }

    /// Whether `file`, which the option `option` says to write, is none of the files that the run reads, nor one that its
    /// launch file writes.
    ///
    /// # Errors
    /// [`RunError::Usage`] with both.
    pub(crate) fn check_output(
        &self,
        option: &str,
        file: &Path,
        launch: Option<&LaunchFile>,
    ) -> Result<(), RunError> {
        let of_launch =
            launch.into_iter().flat_map(LaunchFile::files).map(|path| ("a file of the launch file,", path));
        match self.inputs().into_iter().chain(of_launch).find(|(_, other)| same_file(file, other)) {
            None => Ok(()),
            Some((what, other)) => {
                let (file, other) = (file.display(), other.display());
                Err(RunError::usage(format!("{option} {file} would be written over {what} {other}")))
            }
        }
    }
}
