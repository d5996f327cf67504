//! From SystemVerilog to one shared library per model.
//!
//! A model lives in `<out>/<top>-<hash>/`, the hash being that of everything that went in: sources,
//! parameters, flags, waivers, shim, and the versions of Verilator and the compiler. A library that is
//! there is complete (it is moved into place by one rename) and never built again; builders of the
//! same model wait for each other, also across processes.

mod cache;
mod compile;
mod error;
mod key;
mod options;
mod prelude;
mod publish;
mod runtime;
mod tools;
mod units;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use error::{BuildError, VERILATION};
pub use key::content_hash;
pub use options::{Coverage, Lint, ModelBuild, Shim, Trace, Use};
pub use tools::{Compiler, LEAST_MINOR, Verilator};

use compile::{Level, Unit};
use prelude::Prelude;

/// Bits of the widest signal whose edges are counted.
const WIDEST: &str = "1023";

/// A built model. It stays in its folder as long as this value, or a clone of it, lives.
#[derive(Debug, Clone)]
pub struct Model {
    /// The shared library, to be opened with [`crate::Library::open`].
    pub library: PathBuf,
    /// Whether it was there already.
    pub cached: bool,
    /// What it was made from.
    pub origin: Origin,
    /// Keeps other processes from removing it; none where a file system has no locks.
    _in_use: Option<Arc<File>>,
}

impl Model {
    /// The model in `library`, if it was built.
    fn cached(library: &Path, origin: &Origin) -> Option<Self> {
        let in_use = cache::hold(library).map(Arc::new);
        let there =
            || Self { library: library.to_owned(), cached: true, origin: origin.clone(), _in_use: in_use };
        library.is_file().then(there)
    }
}

/// What a model was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Hash of the sources in their order, with their names.
    pub sources: String,
    /// Hash of all that goes into the model: sources, parameters, flags, waivers, shim, versions of the tools.
    pub model: String,
    /// Version of Verilator.
    pub verilator: String,
    /// What the C++ compiler calls itself.
    pub compiler: String,
}

impl ModelBuild {
    /// Builds the model into `out`, or finds it there. `progress` gets one line per stage.
    ///
    /// # Errors
    /// [`BuildError`]: a file that cannot be read or written, a tool that is missing, or what
    /// Verilator or the compiler said about the sources.
    pub fn build(
        &self,
        verilator: &Verilator,
        out: &Path,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Model, BuildError> {
        let compiler = Compiler::locate()?;
        let flags = self.compile_flags(verilator);
        let hash = key::of(self, verilator, &compiler, &flags)?;
        let name = format!("{}-{hash}", self.top);
        let origin = Origin {
            sources: key::of_sources(self)?,
            model: hash,
            verilator: verilator.version().to_owned(),
            compiler: compiler.version().to_owned(),
        };
        let library_name = format!("lib{}.so", self.top);
        let home = publish::absolute(out)?.join(&name);
        let library = home.join(&library_name);
        if let Some(model) = Model::cached(&library, &origin) {
            return Ok(model);
        }
        let _lock = publish::lock(&home.with_file_name(format!("{name}.lock")))?;
        if let Some(model) = Model::cached(&library, &origin) {
            return Ok(model);
        }
        let work = publish::Workplace::new(&home)?;
        self.make(verilator, &compiler, &flags, work.path(), &library_name, progress)?;
        // The files may have changed while others built, or while this was made of them.
        if key::of(self, verilator, &compiler, &flags)? != origin.model {
            return Err(BuildError::Changed { top: self.top.clone() });
        }
        work.publish(&library_name)?;
        let in_use = cache::hold(&library).map(Arc::new);
        if let Some(most) = self.most_bytes {
            cache::trim(out, most);
        }
        Ok(Model { library, cached: false, origin, _in_use: in_use })
    }

    /// Has Verilator read the sources and translate them, in `folder`. Nothing is compiled.
    ///
    /// # Errors
    /// As [`Self::build`], as far as it gets.
    pub fn translate(&self, verilator: &Verilator, folder: &Path) -> Result<(), BuildError> {
        self.verilate(verilator, folder, &folder.join("generated"))
    }

    fn make(
        &self,
        verilator: &Verilator,
        compiler: &Compiler,
        flags: &[String],
        work: &Path,
        library_name: &str,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(), BuildError> {
        let top = &self.top;
        progress(&format!("verilating {top}"));
        let generated = work.join("generated");
        self.verilate(verilator, work, &generated)?;

        let shim = work.join(&self.shim.name);
        publish::write(&shim, &self.shim.text)?;
        let level = |name: &str| self.level(name.contains("Slow"));
        let mut units = units::of_generated(&generated, work, self.jobs, level)?;
        units.push(Unit {
            object: work.join("shim.o"),
            source: shim,
            level: self.level(false),
            prelude: None,
        });
        let mut flags = flags.to_vec();
        for folder in [&generated, &runtime::write_headers(work)?] {
            flags.push(format!("-I{}", folder.display()));
        }

        let out = work.parent().unwrap_or(work);
        let mut objects = runtime::objects(verilator, compiler, &flags, &generated, out, self, progress)?;
        progress(&format!("compiling {top} ({} files)", units.len()));
        let levels: Vec<Level> =
            Level::ALL.into_iter().filter(|&level| units.iter().any(|u| u.level == level)).collect();
        let prelude = Prelude::write(work, &generated, top, &levels)?;
        prelude.compile(compiler, &flags, &levels, self.jobs, top)?;
        for unit in &mut units {
            unit.prelude = Some(prelude.header(unit.level));
        }
        compile::compile_all(compiler, &flags, &units, self.jobs, top)?;
        objects.extend(units.into_iter().map(|u| u.object));
        progress(&format!("linking {top}"));
        compile::link(compiler, &objects, &work.join(library_name), top)
    }

    fn verilate(&self, verilator: &Verilator, work: &Path, generated: &Path) -> Result<(), BuildError> {
        let mut command = verilator.command();
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.args(self.verilator_flags());
        command.arg("--Mdir").arg(generated);
        let beside = self.includes.iter().filter_map(|file| file.parent());
        let mut folders: Vec<&Path> = self.include_dirs.iter().map(PathBuf::as_path).chain(beside).collect();
        folders.dedup();
        for folder in folders {
            command.arg(format!("+incdir+{}", self.shown(folder).display()));
        }
        for waiver in &self.waivers {
            command.arg(self.shown(waiver));
        }
        for (i, source) in self.sources.iter().enumerate() {
            match &source.text {
                None => {
                    command.arg(self.shown(&source.path));
                }
                Some(text) => {
                    let name = source.path.file_name().unwrap_or_default();
                    let file = work.join("sources").join(i.to_string()).join(Path::new(name));
                    let shown = self.shown(&source.path).display().to_string();
                    publish::write(&file, &format!("`line 1 {shown:?} 0\n{text}"))?;
                    command.arg(file);
                }
            }
        }
        compile::run(&mut command, VERILATION, &self.top).map(drop)
    }

    /// A path as Verilator is given it.
    fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        self.directory.as_ref().and_then(|d| path.strip_prefix(d).ok()).unwrap_or(path)
    }

    fn verilator_flags(&self) -> Vec<String> {
        let mut flags: Vec<String> = [
            "--cc",
            "-O3",
            "--x-assign",
            "unique",
            "--x-initial",
            "unique",
            "--assert",
            "--no-timing",
            "--timescale",
            "1ps/1ps",
            "--top-module",
        ]
        .map(str::to_owned)
        .to_vec();
        flags.push(self.top.clone());
        if self.trace == Trace::Vcd {
            // Structs field by field, lanes one by one, and tables of up to 64 entries.
            let readable =
                ["--trace", "--trace-structs", "--trace-max-array", "64", "--trace-max-width", "32768"];
            flags.extend(readable.map(str::to_owned));
        }
        if self.coverage == Coverage::Counted {
            let counted =
                ["--coverage-line", "--coverage-toggle", "--coverage-user", "--coverage-max-width", WIDEST];
            flags.extend(counted.map(str::to_owned));
        }
        match self.lint {
            Lint::Off => flags.push("-Wno-lint".to_owned()),
            Lint::Default => {}
            Lint::All => flags.push("-Wall".to_owned()),
        }
        flags.extend(self.allowed.iter().map(|rule| format!("-Wno-{rule}")));
        flags.extend(self.parameters.iter().map(|(n, v)| format!("-G{n}={v}")));
        flags.extend(self.defines.iter().map(|(n, v)| format!("+define+{n}={v}")));
        flags
    }

    fn compile_flags(&self, verilator: &Verilator) -> Vec<String> {
        let trace = u8::from(self.trace == Trace::Vcd);
        let coverage = u8::from(self.coverage == Coverage::Counted);
        let include = verilator.root().join("include");
        [
            "-std=gnu++17".to_owned(),
            "-fPIC".to_owned(),
            "-pthread".to_owned(),
            "-fvisibility=hidden".to_owned(),
            "-w".to_owned(),
            format!("-DVM_TRACE={trace}"),
            format!("-DVM_TRACE_VCD={trace}"),
            "-DVM_TRACE_FST=0".to_owned(),
            "-DVM_TRACE_SAIF=0".to_owned(),
            format!("-DVM_COVERAGE={coverage}"),
            "-DVM_SC=0".to_owned(),
            format!("-I{}", include.display()),
            format!("-I{}", include.join("vltstd").display()),
        ]
        .to_vec()
    }

    /// How far code is optimised; `once` is what runs at the start alone.
    fn level(&self, once: bool) -> Level {
        match self.use_for {
            Use::LongRuns if once => Level::Once,
            Use::LongRuns => Level::Fast,
            // All at one level, which takes one precompiled header.
            Use::ShortRuns => Level::Quick,
        }
    }
}
