//! Which of many mutants a tool refuses, where it does not say so.

use crate::error::RtlError;

/// What a tool says of some mutants, or `None` where it takes them.
pub(super) type Says<'a> = dyn FnMut(&[usize]) -> Result<Option<String>, RtlError> + 'a;

/// Of `all`, which the tool refuses together, the last of the shortest beginning that it refuses, with what it says of
/// that: without this mutant it may take the rest. None where it refuses the design itself. It is asked once for each
/// halving.
///
/// # Errors
/// Those of `says`.
pub(super) fn blame(all: &[usize], says: &mut Says<'_>) -> Result<Option<(usize, String)>, RtlError> {
    if says(&[])?.is_some() {
        return Ok(None);
    }
    let (mut taken, mut refused, mut said) = (0, all.len(), None);
    while refused - taken > 1 {
        let middle = taken + (refused - taken) / 2;
        match says(&all[..middle])? {
            None => taken = middle,
            message => (refused, said) = (middle, message),
        }
    }
    if said.is_none() {
        said = says(all)?;
    }
    Ok(refused.checked_sub(1).map(|last| all[last]).zip(said))
}

#[cfg(test)]
mod tests {
    use super::blame;

    /// What is blamed where each of `refused` is refused as soon as all of it is there, and how often the tool was asked.
    fn blamed(refused: &[&[usize]]) -> (Option<(usize, String)>, usize) {
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
            assert_eq!(found, Some((mutant, format!("not [{mutant}]"))));
            assert!(asked <= 7, "{asked}");
        }
        assert_eq!(blamed(&[&[33], &[12]]).0, Some((12, "not [12]".to_owned())), "one at a time");
    }

    #[test]
    fn of_those_that_are_refused_together_one_is_blamed() {
        assert_eq!(blamed(&[&[25, 26]]).0, Some((26, "not [25, 26]".to_owned())));
        assert_eq!(blamed(&[&[10, 39]]).0, Some((39, "not [10, 39]".to_owned())));
    }

    #[test]
    fn nothing_is_blamed_for_the_design_or_where_all_are_taken() {
        assert_eq!(blamed(&[&[]]), (None, 1));
        assert_eq!(blamed(&[]).0, None, "it was refused for another reason");
    }
}
