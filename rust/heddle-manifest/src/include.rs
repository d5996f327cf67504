//! SystemVerilog that is made from a manifest: the struct of a design's events, and names for the words of its
//! configuration.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::ManifestError;
use crate::manifest::{Elaboration, Manifest};
use crate::parameters::in_rtl;

/// A file that follows from a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// Where it lies.
    pub path: PathBuf,
    /// What it must hold.
    pub text: String,
}

impl Generated {
    /// Whether the file holds what it must.
    ///
    /// # Errors
    /// [`ManifestError::Read`], for another reason than that it is not there.
    pub fn is_current(&self) -> Result<bool, ManifestError> {
        match fs::read_to_string(&self.path) {
            Ok(text) => Ok(text == self.text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(ManifestError::Read { path: self.path.clone(), source }),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`ManifestError::Write`].
    pub fn write(&self) -> Result<(), ManifestError> {
        heddle_files::publish(&self.path, self.text.as_bytes())
            .map_err(|source| ManifestError::Write { path: self.path.clone(), source })
    }
}

impl Manifest {
    /// The files that follow from the manifest, in the folder of the top: designs with one top have them in common. None
    /// where there is no SystemVerilog.
    ///
    /// # Errors
    /// [`ManifestError::Parameters`]: the events have no place with the defaults.
    pub fn generated(&self) -> Result<Vec<Generated>, ManifestError> {
        if self.sources.is_empty() {
            return Ok(Vec::new());
        }
        let folder = self.top_file().and_then(Path::parent).unwrap_or(&self.folder);
        let owner = self.owner();
        let path = folder.join(format!("{owner}_events.svh"));
        let mut files = vec![Generated { path, text: self.event_struct()? }];
        if self.configuration().next().is_some() {
            let path = folder.join(format!("{owner}_config.svh"));
            files.push(Generated { path, text: self.configuration_words() });
        }
        Ok(files)
    }

    /// The design that the top is called after.
    fn owner(&self) -> &str {
        self.top.strip_suffix("_top").unwrap_or(&self.name)
    }

    /// Names for the words of `config_t.own`, for the body of a module.
    fn configuration_words(&self) -> String {
        let mut text = format!(
            "// Words of {name}'s own configuration, `config_t.own`. Made from design.toml by\n\
             // `heddle check-design {name} --write`.\n",
            name = self.owner()
        );
        for (word, parameter) in self.configuration().enumerate() {
            let _ = writeln!(text, "  localparam int unsigned {}Word = {word};", parameter.in_rtl());
        }
        text
    }

    /// The struct `events_t`, for the parameter list of the top module.
    fn event_struct(&self) -> Result<String, ManifestError> {
        let layout = self.layout(&self.instance(&Elaboration::default())?.parameters)?;
        let mut fields = Vec::new();
        let mut end = 0;
        for (event, (_, field)) in self.events.iter().zip(layout.iter()) {
            // Only events with a place of their own leave a gap.
            if let Some(gap) = usize::from(field.lsb).checked_sub(end).filter(|&gap| gap > 0) {
                fields.push((gap.to_string(), format!("unused_{end}")));
            }
            end = field.end();
            fields.push((event.width.system_verilog(&in_rtl), event.name.clone()));
        }
        let mut text = format!(
            "// Events of {name}, the first one in the lowest bits. Made from design.toml by\n\
             // `heddle check-design {name} --write`; included in the parameter list of {top}.\n  \
             localparam type events_t = struct packed {{\n",
            name = self.owner(),
            top = self.top
        );
        for (width, name) in fields.iter().rev() {
            let range = match width.parse::<u32>() {
                Ok(1) => String::new(),
                Ok(bits) => format!("[{}:0] ", bits.saturating_sub(1)),
                Err(_) if width.contains(' ') => format!("[({width})-1:0] "),
                Err(_) => format!("[{width}-1:0] "),
            };
            let _ = writeln!(text, "    logic {range}{name};");
        }
        text.push_str("  }\n");
        Ok(text)
    }
}
