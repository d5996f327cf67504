//! Enumerations of SystemVerilog packages: the names of their values.

use std::collections::BTreeMap;

/// The values of `typedef enum logic [...] { A = 2'd0, B, ... } name;` in the text of a package; a value that is not
/// written is one more than the one before. What all names begin with, such as `Slot` of `SlotIdle` and `SlotReady`, is
/// left out. `None` where the package has no such type, or a value is no number.
pub fn enumeration(text: &str, name: &str) -> Option<BTreeMap<u64, String>> {
    let plain: String =
        text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut rest = plain.as_str();
    while let Some((_, tail)) = rest.split_once("typedef enum") {
        let (head, after) = tail.split_once('}')?;
        let (found, next) = after.split_once(';')?;
        if found.trim() == name {
            return values(head.split_once('{')?.1).map(without_prefix);
        }
        rest = next;
    }
    None
}

fn values(list: &str) -> Option<BTreeMap<u64, String>> {
    let (mut names, mut next) = (BTreeMap::new(), 0);
    for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let (name, value) = match item.split_once('=') {
            Some((name, value)) => (name.trim(), number(value.trim())?),
            None => (item, next),
        };
        names.insert(value, name.to_owned());
        next = value.checked_add(1)?;
    }
    Some(names)
}

/// The names without the words that all of them begin with; a name keeps at least one word.
fn without_prefix(names: BTreeMap<u64, String>) -> BTreeMap<u64, String> {
    if names.len() < 2 {
        return names;
    }
    let begins = |at: usize| {
        let mut heads = names.values().map(|name| name.get(..at));
        let first = heads.next().flatten();
        let is_word = |name: &String| name.as_bytes().get(at).is_some_and(u8::is_ascii_uppercase);
        first.is_some() && heads.all(|head| head == first) && names.values().all(is_word)
    };
    let shortest = names.values().map(String::len).min().unwrap_or(0);
    let cut = (0..shortest).rev().find(|at| begins(*at)).unwrap_or(0);
    names.into_iter().map(|(value, name)| (value, name[cut..].to_owned())).collect()
}

/// `12`, `4'd12`, `4'b1100` or `4'hc`.
fn number(text: &str) -> Option<u64> {
    let Some((_, based)) = text.split_once('\'') else { return text.parse().ok() };
    let digits = based.get(1..)?.replace('_', "");
    let radix = match based.chars().next()?.to_ascii_lowercase() {
        'd' => 10,
        'h' => 16,
        'b' => 2,
        'o' => 8,
        _ => return None,
    };
    u64::from_str_radix(&digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "package p;\n  typedef enum logic [1:0] {\n    MemRead = 2'd0,  // a load, or = \n    \
                           MemReadAll\n  } kind_e;\n  typedef enum logic [3:0] { A = 4'hC, B = 4'b0001 } other_e;\nendpackage\n";

    #[test]
    fn values_have_their_names() {
        let named = |list: &[(u64, &str)]| list.iter().map(|(v, n)| (*v, (*n).to_owned())).collect();
        assert_eq!(enumeration(PACKAGE, "kind_e"), Some(named(&[(0, "Read"), (1, "ReadAll")])));
        assert_eq!(enumeration(PACKAGE, "other_e"), Some(named(&[(12, "A"), (1, "B")])));
        assert_eq!(enumeration(PACKAGE, "gone_e"), None);
        assert_eq!(enumeration("typedef enum { A = x } e;", "e"), None);
        assert_eq!(enumeration("typedef enum { OnlyOne } e;", "e"), Some(named(&[(0, "OnlyOne")])));
    }
}
