use super::*;

/// `text` with a mutant of each of the expressions, in their order.
fn woven(text: &str, mutants: &[(&str, &str)]) -> (String, Vec<Span>) {
    let mutants: Vec<Mutant> = mutants
        .iter()
        .map(|(original, replacement)| {
            let start = text.find(original).expect("the original is there");
            let file = PathBuf::from("rtl/a.sv");
            Mutant { file, start, end: start + original.len(), replacement: (*replacement).to_owned() }
        })
        .collect();
    let mut sorted: Vec<(usize, &Mutant)> = mutants.iter().enumerate().collect();
    sorted.sort_by_key(|(place, mutant)| (mutant.start, std::cmp::Reverse(mutant.end), *place));
    check(text, &sorted).expect("no overlap");
    let mut weaver = Weaver { text, mutants: &sorted, woven: String::new(), spans: Vec::new() };
    weaver.piece(0, text.len(), 0..sorted.len());
    (weaver.woven, weaver.spans)
}

#[test]
fn expressions_in_each_other_keep_the_lines() {
    let text = "assign x = a && // both\n  !b;\nassign y = c;\n";
    let (out, _) = woven(text, &[("!b", "(b)"), ("a && // both\n  !b", "(a) || (!b)"), ("c", "!c")]);
    assert_eq!(
        out,
        "assign x = (heddle_mutant_pkg::heddle_mutant_pick(16'sd2, ((64'd0 + (a && !b)) !== (64'd0 + ((a) || \
         (!b))))) ? ((a) || (!b)) : (a && // both\n  (heddle_mutant_pkg::heddle_mutant_pick(16'sd1, ((64'd0 + (!b)) \
         !== (64'd0 + ((b))))) ? ((b)) : (!b))));\n\
         assign y = (heddle_mutant_pkg::heddle_mutant_pick(16'sd3, ((64'd0 + (c)) !== (64'd0 + (!c)))) ? (!c) : \
         (c));\n"
    );
}

#[test]
fn two_mutants_of_one_expression_are_chosen_one_after_the_other() {
    let (out, _) = woven("x = i;", &[("i", "i + 1"), ("i", "i - 1")]);
    assert!(out.starts_with("x = (heddle_mutant_pkg::heddle_mutant_pick(16'sd1, "), "{out}");
    assert!(
        out.ends_with(
            "? (i + 1) : (heddle_mutant_pkg::heddle_mutant_pick(16'sd2, ((64'd0 + (i)) !== (64'd0 + (i - \
                           1)))) ? (i - 1) : (i)));"
        ),
        "{out}"
    );
}

#[test]
fn an_error_is_about_the_innermost_mutant() {
    let (text, spans) = woven("a\nx = b + c; y = d;\n", &[("b + c", "(b) - (c)"), ("c", "!c"), ("d", "!d")]);
    let second = text.lines().nth(1).expect("a second line");
    let inner = second.rfind("pick(16'sd2").expect("it is woven in") + 1;
    let woven = Woven { texts: [(PathBuf::from("/tree/rtl/a.sv"), text.clone())].into(), spans };
    let said = |column: usize| woven.refused(&format!("%Error-X: rtl/a.sv:2:{column}: no\n... In file\n"));
    assert_eq!(said(inner), [(1, "no".to_owned())]);
    assert_eq!(said(second.find("pick(16'sd1").expect("it is woven in")), [(0, "no".to_owned())]);
    let all: Vec<usize> = said(1).into_iter().map(|(mutant, _)| mutant).collect();
    assert_eq!(all, [0, 1, 2]);
    assert_eq!(woven.refused("%Error: rtl/a.sv:1:1: elsewhere"), []);
    assert_eq!(woven.refused("%Error: rtl/b.sv:2:1: elsewhere"), []);
}

#[test]
fn what_overlaps_is_refused() {
    let mutant = |start, end| Mutant { file: "rtl/a.sv".into(), start, end, replacement: "x".into() };
    let (first, second, far) = (mutant(0, 5), mutant(4, 8), mutant(8, 90));
    let error = check("a + b + c", &[(0, &first), (1, &second)]).expect_err("they overlap");
    assert!(error.to_string().contains("overlaps with the one of bytes 0 to 5"), "{error}");
    let error = check("a + b + c", &[(0, &far)]).expect_err("it ends behind the text");
    assert!(error.to_string().contains("bytes 8 to 90 are not in it"), "{error}");
}
