//! What is wrong with a configuration. Of a file the origin has line and column, where they are known.

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// No preset of that name, and no such file.
    #[error("unknown preset '{name}'{hint}")]
    UnknownPreset {
        /// What was asked for.
        name: String,
        /// "; did you mean ..." where one is near, and all names.
        hint: String,
    },
    /// A preset stands on one that does not ship, or that stands on another itself.
    #[error("{origin}: 'base' = '{base}' is no whole preset{hint}")]
    Base {
        /// File or preset.
        origin: String,
        /// What it names.
        base: String,
        /// "; did you mean ..." where one is near, and all names.
        hint: String,
    },
    /// A preset file cannot be read.
    #[error("cannot read preset {path}: {reason}")]
    Unreadable {
        /// Path as given.
        path: String,
        /// Why.
        reason: String,
    },
    /// TOML that does not parse.
    #[error("{origin}: {message}")]
    Syntax {
        /// File or preset.
        origin: String,
        /// What the parser says.
        message: String,
    },
    /// A key that does not exist.
    #[error("{origin}: unknown key '{key}'{hint}")]
    UnknownKey {
        /// File, or the override's text.
        origin: String,
        /// Whole path of the key.
        key: String,
        /// "; did you mean ..." or the keys there are.
        hint: String,
    },
    /// A key that is missing.
    #[error("{origin}: key '{key}' is missing")]
    MissingKey {
        /// File.
        origin: String,
        /// Whole path of the key.
        key: String,
    },
    /// Cycles and the time from which they follow, both.
    #[error("{origin}: '{cycles}' and '{time}' stand for each other; give one")]
    TimeAndCycles {
        /// File.
        origin: String,
        /// Whole path of the key in cycles.
        cycles: &'static str,
        /// Whole path of the key in picoseconds.
        time: &'static str,
    },
    /// A value of the wrong kind.
    #[error("{origin}: '{key}' takes {expected}, not {found}")]
    WrongType {
        /// File, or the override's text.
        origin: String,
        /// Whole path of the key.
        key: String,
        /// What the key takes.
        expected: String,
        /// What was given.
        found: String,
    },
    /// A text that is none of those which the key takes.
    #[error("{origin}: '{key}': {message}")]
    Choice {
        /// File, or the override's text.
        origin: String,
        /// Whole path of the key.
        key: String,
        /// What was given, and what the key takes.
        message: String,
    },
    /// A value outside its range.
    #[error("{}'{key}' = {value} is out of range: {allowed}", before(origin.as_deref()))]
    Range {
        /// File, where the value is of one.
        origin: Option<String>,
        /// Whole path of the key.
        key: String,
        /// Its value, as written.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// An override without `=`.
    #[error("'{text}' is not of the form path.to.key=value")]
    OverrideForm {
        /// What was given.
        text: String,
    },
}

/// What stands before a message that may have an origin.
fn before(origin: Option<&str>) -> String {
    origin.map_or_else(String::new, |origin| format!("{origin}: "))
}
