//! What a preset file changes.

use toml::Value;

use crate::error::ConfigError;
use crate::keys::leaves;
use crate::load::{load, read};
use crate::times::TIMES;

/// Whole paths of the keys that the preset `name` gives and whose value is another than that of the preset `from`.
/// A time is another one where its cycles are.
///
/// # Errors
/// [`ConfigError`], for both.
pub fn changed_keys(name: &str, from: &str) -> Result<Vec<String>, ConfigError> {
    let values = |name: &str| load(name).map(|preset| Value::try_from(&preset).ok());
    let (here, there) = (values(name)?, values(from)?);
    let of = |values: &Option<Value>, key: &str| {
        key.split('.').try_fold(values.clone()?, |value, part| value.get(part).cloned())
    };
    let mut given = Vec::new();
    leaves("", &read(name)?, &mut given);
    given.retain(|key| {
        let cycles = TIMES.iter().find(|(_, time)| time == key).map(|(cycles, _)| *cycles);
        let key = cycles.unwrap_or(key);
        of(&here, key) != of(&there, key)
    });
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_another_value_are_named_as_the_file_gives_them() {
        assert_eq!(changed_keys("fermi", "fermi"), Ok(Vec::new()));
        let dir = std::env::temp_dir().join(format!("heddle-config-changed-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("temporary folder");
        let path = dir.join("mine.toml");
        let fermi = include_str!("../../../presets/fermi.toml");
        let changed = |changes: &[(&str, &str)], from: &str| {
            let text = changes.iter().fold(fermi.to_owned(), |text, (old, new)| {
                assert!(text.contains(old), "{old}");
                text.replacen(old, new, 1)
            });
            std::fs::write(&path, text).expect("temporary file");
            changed_keys(&path.to_string_lossy(), from).expect("a preset")
        };
        // 3,100 ps are three cycles, 620 ps one as before.
        let slow = ("write_ps = 310", "write_ps = 3100");
        assert_eq!(
            changed(&[slow, ("warps = 48", "warps = 32")], "fermi"),
            ["register_file.write_ps", "sm.warps"]
        );
        assert!(changed(&[("write_ps = 310", "write_ps = 620")], "fermi").is_empty());
        // maxwell gives the cycles and no times.
        let from_maxwell = changed(&[], "maxwell");
        assert!(from_maxwell.iter().all(|key| !key.ends_with("_ps")), "{from_maxwell:?}");
        assert!(from_maxwell.contains(&"scheduler.policy".to_owned()), "{from_maxwell:?}");
        std::fs::remove_dir_all(&dir).expect("temporary folder");
    }
}
