//! Which of many mutants a tool refuses, where it does not say so.

use crate::error::RtlError;

/// What a tool says of some mutants, or `None` where it takes them.
pub(super) type Says<'a> = dyn FnMut(&[usize]) -> Result<Option<String>, RtlError> + 'a;

/// Of `all`, which the tool refuses together, those without which it may take the rest, with what it says of them: one, or
/// several that it refuses only together. None where it refuses the design itself. It is asked twice for each halving.
///
/// # Errors
/// Those of `says`.
pub(super) fn blame(all: &[usize], says: &mut Says<'_>) -> Result<Vec<(usize, String)>, RtlError> {
    if says(&[])?.is_some() {
        return Ok(Vec::new());
    }
    let mut guilty = all.to_vec();
    let mut said = String::new();
    while guilty.len() > 1 {
        let (first, second) = guilty.split_at(guilty.len() / 2);
        let mut found = None;
        for half in [first, second] {
            if found.is_none() {
                found = says(half)?.map(|message| (half.to_vec(), message));
            }
        }
        let Some(half) = found else { break };
        (guilty, said) = half;
    }
    if said.is_empty() {
        said = says(&guilty)?.unwrap_or_default();
    }
    Ok(guilty.into_iter().map(|mutant| (mutant, said.clone())).collect())
}

#[cfg(test)]
mod tests {
    use super::blame;

    /// What is blamed where each of `refused` is refused as soon as all of it is there, and how often the tool was asked.
    fn blamed(refused: &[&[usize]]) -> (Vec<(usize, String)>, usize) {
        let all: Vec<usize> = (10..40).collect();
        let mut asked = 0;
        let found = blame(&all, &mut |some| {
            asked += 1;
            let bad = refused.iter().find(|bad| bad.iter().all(|mutant| some.contains(mutant)));
            Ok(bad.map(|bad| format!("not {bad:?}")))
        });
        (found.expect("nothing fails"), asked)
    }

    #[test]
    fn one_of_many_is_found() {
        for mutant in [10, 24, 25, 39] {
            let (found, asked) = blamed(&[&[mutant]]);
            assert_eq!(found, [(mutant, format!("not [{mutant}]"))]);
            assert!(asked <= 11, "{asked}");
        }
        assert_eq!(blamed(&[&[12], &[33]]).0, [(12, "not [12]".to_owned())], "one at a time");
    }

    #[test]
    fn those_that_are_refused_together_are_blamed_together() {
        let (found, _) = blamed(&[&[25, 26]]);
        assert!(
            found.len() < 8 && [25, 26].iter().all(|bad| found.iter().any(|(m, _)| m == bad)),
            "{found:?}"
        );
        assert!(found.iter().all(|(_, said)| said == "not [25, 26]"), "{found:?}");
        let (found, _) = blamed(&[&[10, 39]]);
        assert_eq!((found.len(), found[0].1.as_str()), (30, "not [10, 39]"));
    }

    #[test]
    fn nothing_is_blamed_for_the_design() {
        assert_eq!(blamed(&[&[]]), (Vec::new(), 1));
    }
}
