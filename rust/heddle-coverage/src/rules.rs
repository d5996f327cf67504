//! What files say of a design's coverage: further runs, signals that are no control, and why a hole stays one.
//!
//! `constraints/<folder>/coverage.toml`, for the design's own folder and for each other that it has cells of
//! ([`Whose`]). Runs are the design's own. So are reasons, for a cell is reached in another way in each design, but for
//! those of the folder `common`, which hold wherever they name a hole.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use heddle_config::Override;
use heddle_files::Input;
use heddle_manifest::Manifest;
use serde::Deserialize;
use wildmatch::WildMatch;

use crate::error::CoverageError;
use crate::hole::Hole;
use crate::point::{Counts, Kind, Point};

/// A file of rules.
const INPUT: Input = Input { expected: "a file of rules of coverage", most: 1 << 20 };

/// Rules of one design.
#[derive(Debug, Default)]
pub struct Rules {
    /// Runs beside the design and its variants as they are.
    pub runs: Vec<RunRule>,
    not_control: Vec<Signals>,
    reasons: Vec<(PathBuf, Whose, Reason)>,
}

/// Whose file of rules it is, which says what is taken from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The design's own: everything; each pattern of a reason names a hole.
    Own,
    /// That of all designs: what is no control, and reasons, each of which names a hole with one of its patterns.
    Common,
    /// Another design's that this one has cells of: what is no control.
    Other,
}

/// A file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    #[serde(default)]
    runs: Vec<RunRule>,
    #[serde(default)]
    not_control: Vec<NotControl>,
    #[serde(default)]
    reasons: Vec<Reason>,
}

/// A run of the kernels with further settings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRule {
    /// The design or a variant of it.
    pub design: String,
    /// Settings as `--set` takes them, `KEY=VALUE`.
    #[serde(deserialize_with = "settings::deserialize")]
    pub set: Vec<Override>,
    /// What the run is for.
    pub reason: String,
}

/// Settings as a list of `KEY=VALUE`.
pub(crate) mod settings {
    use heddle_config::Override;
    use serde::de::{Deserialize as _, Deserializer, Error as _};
    use serde::ser::Serializer;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Override>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
    }

    pub(crate) fn serialize<S: Serializer>(all: &[Override], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(all.iter().map(|one| format!("{}={}", one.key, one.value)))
    }
}

/// Signals that carry data of lanes, addresses or payload.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotControl {
    /// `module.signal`, the signal without indices; `*` stands for any characters.
    signals: Vec<String>,
    reason: String,
}

/// One pattern of [`NotControl`].
#[derive(Debug)]
struct Signals {
    path: PathBuf,
    pattern: WildMatch,
}

/// Why a place is not reached.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    /// As of [`NotControl`], or `module.Label` of `cover` statements.
    #[serde(default)]
    signals: Vec<String>,
    /// Source, from the root of the repository.
    file: Option<String>,
    /// A line of `file` as it stands there, without the blanks around it.
    line: Option<String>,
    /// Most edges of a signal that it explains; one of which more are not seen stays without it.
    most: Option<usize>,
    reason: String,
}

impl Rules {
    /// Reads the rules of a design in the repository at `root`; a folder without a file has none.
    ///
    /// # Errors
    /// [`CoverageError::Read`], or as [`Self::take`].
    pub fn load(root: &Path, manifest: &Manifest) -> Result<Self, CoverageError> {
        let rtl = root.join("rtl");
        let inside = manifest.sources.iter().filter_map(|source| source.strip_prefix(&rtl).ok()?.parent());
        let own = Path::new(&manifest.name);
        let mut rules = Self::default();
        for folder in inside.chain([own]).collect::<BTreeSet<&Path>>() {
            let path = root.join("constraints").join(folder).join("coverage.toml");
            let whose = match folder {
                folder if folder == own => Whose::Own,
                folder if folder == Path::new("common") => Whose::Common,
                _ => Whose::Other,
            };
            if path.exists() {
                rules.take(&path, &INPUT.text(&path)?, whose)?;
            }
        }
        Ok(rules)
    }

    /// Takes over what the file at `path` says, as far as it is for this design.
    ///
    /// # Errors
    /// [`CoverageError::Rules`]: not in form, or a rule without a reason or a place.
    pub fn take(&mut self, path: &Path, text: &str, whose: Whose) -> Result<(), CoverageError> {
        let wrong = |what: String| CoverageError::Rules { path: path.to_owned(), what };
        let file: RulesFile = toml::from_str(text).map_err(|e| wrong(e.to_string()))?;
        let runs = file.runs.iter().map(|run| (run.reason.as_str(), format!("the run of {}", run.design)));
        let signals = file.not_control.iter().map(|rule| (rule.reason.as_str(), rule.signals.join(" ")));
        let reasons = file.reasons.iter().map(|rule| (rule.reason.as_str(), rule.place()));
        for (reason, of) in runs.chain(signals).chain(reasons) {
            if reason.trim().is_empty() {
                return Err(wrong(format!("{of}: expected a reason")));
            }
        }
        for rule in &file.reasons {
            if !matches!(
                (rule.signals.len(), &rule.file, &rule.line),
                (1.., None, None) | (0, Some(_), Some(_))
            ) {
                let what = "expected either 'signals', or 'file' and 'line'";
                return Err(wrong(format!("{}: {what}", rule.place())));
            }
        }
        let patterns = file.not_control.iter().flat_map(|rule| &rule.signals);
        let signals = |pattern: &String| Signals { path: path.to_owned(), pattern: WildMatch::new(pattern) };
        self.not_control.extend(patterns.map(signals));
        if whose == Whose::Own {
            self.runs.extend(file.runs);
        }
        if whose != Whose::Other {
            self.reasons.extend(file.reasons.into_iter().map(|rule| (path.to_owned(), whose, rule)));
        }
        Ok(())
    }

    /// The settings that a design is run with: the design, each variant that has RTL, and the runs that the rules name.
    ///
    /// # Errors
    /// [`CoverageError::Manifest`]: one cannot be read. [`CoverageError::Rules`]: a run is of another top, whose RTL is
    /// not this design's.
    pub fn settings(
        &self,
        root: &Path,
        manifest: &Manifest,
    ) -> Result<Vec<(String, Vec<Override>)>, CoverageError> {
        for run in &self.runs {
            let of = Manifest::load(root, &run.design)?;
            if of.top != manifest.top {
                let path = root.join("constraints").join(&manifest.name).join("coverage.toml");
                let what = format!(
                    "the run of {}: expected a design of {}, not of {}",
                    run.design, manifest.top, of.top
                );
                return Err(CoverageError::Rules { path, what });
            }
        }
        let all = Manifest::load_all(root)?;
        let variants = all.iter().filter(|one| one.name == manifest.name && one.has_rtl);
        let plain = variants.map(|one| (one.called(), Vec::new()));
        let further = self.runs.iter().map(|rule| (rule.design.clone(), rule.set.clone()));
        Ok(plain.chain(further).collect())
    }

    /// The points that are to be reached: all but the edges of signals that are no control.
    ///
    /// # Errors
    /// [`CoverageError::Rules`]: a pattern names no signal of `counts` although its module is there.
    pub fn counted(&self, counts: Counts) -> Result<Counts, CoverageError> {
        let signals = counts.iter().filter(|(point, _)| point.kind == Kind::Toggle);
        let signals: BTreeSet<String> = signals.map(|(point, _)| point.signal()).collect();
        let modules: BTreeSet<String> = counts.iter().map(|(point, _)| point.module().to_owned()).collect();
        for Signals { path, pattern } in &self.not_control {
            let text = pattern.pattern();
            let module = WildMatch::new(text.split('.').next().unwrap_or_default());
            let there = modules.iter().any(|name| module.matches(name));
            if there && !signals.iter().any(|signal| pattern.matches(signal)) {
                let what = format!("'{text}' names no signal of module {}", module.pattern());
                return Err(CoverageError::Rules { path: path.clone(), what });
            }
        }
        let is_data = |signal: &&String| self.not_control.iter().any(|rule| rule.pattern.matches(signal));
        let data: BTreeSet<&String> = signals.iter().filter(is_data).collect();
        let kept = |point: &Point| point.kind != Kind::Toggle || !data.contains(&point.signal());
        Ok(counts.retain(kept))
    }

    /// Says of each hole why it stays one, where a rule knows.
    ///
    /// # Errors
    /// [`CoverageError::Rules`]: a reason, or a pattern of one of [`Whose::Own`], names no hole; all that do are told.
    pub fn explain(&self, holes: &mut [Hole]) -> Result<(), CoverageError> {
        let mut idle: Vec<(&PathBuf, String)> = Vec::new();
        for (path, whose, rule) in &self.reasons {
            let mut unneeded = Vec::new();
            for place in rule.places() {
                let mut needed = false;
                for hole in holes.iter_mut().filter(|hole| place.is_of(hole)) {
                    needed = true;
                    if rule.most.is_none_or(|most| hole.missing <= most) {
                        hole.reason.get_or_insert_with(|| rule.reason.clone());
                    }
                }
                if !needed {
                    unneeded.push(place.to_string());
                }
            }
            if *whose == Whose::Own || unneeded.len() == rule.places().len() {
                idle.extend(unneeded.into_iter().map(|place| (path, place)));
            }
        }
        let Some((path, _)) = idle.first() else { return Ok(()) };
        let places: Vec<&str> = idle.iter().map(|(_, place)| place.as_str()).collect();
        let what = format!("names no hole, so nothing needs the reason: {}", places.join(", "));
        Err(CoverageError::Rules { path: path.to_path_buf(), what })
    }
}

/// Where a reason applies.
enum Place<'a> {
    Signals(&'a str),
    Line { file: &'a str, line: &'a str },
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signals(pattern) => write!(f, "'{pattern}'"),
            Self::Line { file, line } => write!(f, "'{line}' in {file}"),
        }
    }
}

impl Place<'_> {
    fn is_of(&self, hole: &Hole) -> bool {
        match (self, hole.kind) {
            (Self::Signals(pattern), Kind::Toggle | Kind::Cover) => {
                WildMatch::new(pattern).matches(&hole.what)
            }
            (Self::Line { file, line }, Kind::Line | Kind::Branch) => {
                hole.file == *file && hole.text == line.trim()
            }
            _ => false,
        }
    }
}

impl Reason {
    fn places(&self) -> Vec<Place<'_>> {
        match (&self.file, &self.line) {
            (Some(file), Some(line)) => vec![Place::Line { file, line }],
            _ => self.signals.iter().map(|pattern| Place::Signals(pattern)).collect(),
        }
    }

    /// All places, for messages.
    fn place(&self) -> String {
        let places: Vec<String> = self.places().iter().map(Place::to_string).collect();
        if places.is_empty() { "a reason".to_owned() } else { places.join(" ") }
    }
}
