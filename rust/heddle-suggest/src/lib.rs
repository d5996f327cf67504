//! "Did you mean": the known name nearest to a mistyped one, by one rule for all of Heddle.
//!
//! ```
//! assert_eq!(heddle_suggest::closest("hotspod", ["bfs", "hotspot"]), Some("hotspot"));
//! assert_eq!(heddle_suggest::hint("zebra", ["bfs", "hotspot"]), "");
//! ```

/// Words longer than this get no suggestion: they are no slips, and the distance costs their product.
const LONGEST: usize = 64;

/// The name of `known` nearest to `word`, when it is near: at most one slip (a letter more, less, other
/// or swapped), and one more for each four letters. Case does not count. Of equally near names the first.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = |text: &str| text.chars().count();
    if letters(word) > LONGEST {
        return None;
    }
    let lower = word.to_lowercase();
    known
        .into_iter()
        .filter(|k| *k != word && letters(k) <= LONGEST)
        .map(|k| (strsim::damerau_levenshtein(&lower, &k.to_lowercase()), k))
        .filter(|(distance, k)| {
            let shorter = letters(k).min(letters(word));
            *distance <= 1 + shorter / 4 && *distance < shorter.max(1)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, k)| k)
}

/// `; did you mean 'x'?` for the nearest name, or an empty text.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    closest(word, known).map_or_else(String::new, |k| format!("; did you mean '{k}'?"))
}

/// All names behind `label`, and before them the nearest one, if one is near:
/// `; did you mean 'x'? Label: a, b`, or `; label: a, b`.
pub fn hint_and_list<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
    label: &str,
) -> String {
    let near = hint(word, known.clone());
    let names: Vec<&str> = known.into_iter().collect();
    let mut letters = label.chars();
    let label = match letters.next() {
        // A sentence ends before it.
        Some(first) if !near.is_empty() => format!(" {}{}", first.to_uppercase(), letters.as_str()),
        _ => format!("; {label}"),
    };
    format!("{near}{label}: {}", names.join(", "))
}

/// As [`hint`]; without a near name `; expected one of: a, b, c`.
pub fn hint_or_list<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let near = hint(word, known.clone());
    if near.is_empty() {
        let names: Vec<&str> = known.into_iter().collect();
        return format!("; expected one of: {}", names.join(", "));
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found() {
        let known = ["grid", "block", "dynamic_shared_bytes", "f32"];
        for (word, expected) in [
            ("gird", Some("grid")),
            ("grd", Some("grid")),
            ("blocks", Some("block")),
            ("F32", Some("f32")),
            ("dynamic_share_byte", Some("dynamic_shared_bytes")),
            ("zebra", None),
            ("x", None),
            ("", None),
            ("grid", None),
        ] {
            assert_eq!(closest(word, known), expected, "{word}");
        }
        assert_eq!(closest(&"g".repeat(1_000_000), known), None);
    }

    #[test]
    fn the_first_of_equally_near_names_is_taken() {
        assert_eq!(closest("u33", ["u32", "u3x"]), Some("u32"));
        assert_eq!(hint_or_list("q", ["a", "b"]), "; expected one of: a, b");
        assert_eq!(hint_or_list("gird", ["grid", "b"]), "; did you mean 'grid'?");
        let both = "; did you mean 'grid'? It has: grid, b";
        assert_eq!(hint_and_list("gird", ["grid", "b"], "it has"), both);
        assert_eq!(hint_and_list("zebra", ["grid", "b"], "it has"), "; it has: grid, b");
    }
}
