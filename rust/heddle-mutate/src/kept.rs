//! What was found, kept after each mutant.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Request;
use crate::error::MutateError;
use crate::ports::PortTraffic;
use crate::site::Site;
use crate::verdict::{Judged, Verdict};

/// The mutants of a design that were judged, in a file of JSON lines.
pub(crate) struct Kept {
    path: PathBuf,
    head: Head,
    judged: Vec<Judged>,
}

/// The first line: what the verdicts depend on.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    design: String,
    seed: String,
    kernels: Vec<String>,
    settings: Vec<String>,
    most_cycles: u64,
    bench_cycles: u64,
    /// Settings and seeds of the port bench.
    ports: Vec<String>,
    /// Hash of the model with its mutants.
    model: String,
    /// Hash of the program's sources, as far as runs depend on them.
    program: String,
}

impl Kept {
    /// Takes over what the file has of the drawn mutants, where it is of the same model and kernels; else, and
    /// where the request is for a fresh start, nothing.
    ///
    /// # Errors
    /// [`MutateError::Read`]: the file is there and cannot be read.
    pub(crate) fn open(
        path: &Path,
        request: &Request,
        ports: &[Vec<PortTraffic>],
        model: &str,
        drawn: &[Site],
    ) -> Result<Self, MutateError> {
        let head = Head {
            design: request.design.clone(),
            seed: request.seed.clone(),
            kernels: request.kernels.clone(),
            settings: request.overrides.iter().map(|o| format!("{}={}", o.key, o.value)).collect(),
            most_cycles: request.most_cycles,
            bench_cycles: request.bench_cycles,
            ports: ports.iter().flatten().map(|traffic| traffic.name().to_owned()).collect(),
            model: model.to_owned(),
            program: heddle_cosim::SOURCES.to_owned(),
        };
        let mut judged = Vec::new();
        if path.is_file() && !request.fresh {
            let text = std::fs::read_to_string(path)
                .map_err(|source| MutateError::Read { path: path.to_owned(), source })?;
            judged = taken_over(&text, &head, drawn);
        }
        Ok(Self { path: path.to_owned(), head, judged })
    }

    /// The one at place `at` ran in one more elaboration.
    ///
    /// # Errors
    /// [`MutateError::Write`].
    pub(crate) fn again(&mut self, at: usize, verdict: Verdict) -> Result<(), MutateError> {
        let one = &mut self.judged[at];
        one.verdict = one.verdict.clone().and(verdict);
        one.elaborations += 1;
        self.write()
    }

    /// Netlists, proofs and lint as `rules` has them were asked about the one at place `at`; `verdict` is what they know.
    ///
    /// # Errors
    /// [`MutateError::Write`].
    pub(crate) fn proved(
        &mut self,
        at: usize,
        rules: &str,
        verdict: Option<Verdict>,
    ) -> Result<(), MutateError> {
        let one = &mut self.judged[at];
        one.proved = rules.to_owned();
        if let Some(verdict) = verdict {
            one.verdict = verdict;
        }
        self.write()
    }

    /// Those that are judged, the first of the drawn.
    pub(crate) fn judged(&self) -> &[Judged] {
        &self.judged
    }

    pub(crate) fn into_judged(self) -> Vec<Judged> {
        self.judged
    }

    /// Keeps one more.
    ///
    /// # Errors
    /// [`MutateError::Write`].
    pub(crate) fn add(&mut self, judged: Judged) -> Result<(), MutateError> {
        self.judged.push(judged);
        self.write()
    }

    fn write(&self) -> Result<(), MutateError> {
        let lines = std::iter::once(serde_json::to_string(&self.head))
            .chain(self.judged.iter().map(serde_json::to_string))
            .collect::<Result<Vec<_>, _>>();
        let written = lines
            .map_err(std::io::Error::from)
            .and_then(|lines| heddle_files::publish(&self.path, (lines.join("\n") + "\n").as_bytes()));
        written.map_err(|source| MutateError::Write { path: self.path.clone(), source })
    }
}

/// The mutants of a kept file up to the first that is not the drawn one.
fn taken_over(text: &str, head: &Head, drawn: &[Site]) -> Vec<Judged> {
    let mut lines = text.lines();
    let kept = lines.next().and_then(|line| serde_json::from_str::<Head>(line).ok());
    if kept.as_ref() != Some(head) {
        return Vec::new();
    }
    let judged = lines.map_while(|line| serde_json::from_str::<Judged>(line).ok());
    judged.zip(drawn).take_while(|(one, site)| one.site == **site).map(|(one, _)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(at: usize) -> Site {
        Site {
            file: "rtl/a.sv".into(),
            line: 1,
            column: at + 1,
            operator: "logic".into(),
            start: at,
            end: at + 6,
            at,
            token: "&&".into(),
            mutant: "||".into(),
            original: "a && b".into(),
            replacement: "(a) || (b)".into(),
        }
    }

    fn request(results: &Path) -> Request {
        Request {
            root: ".".into(),
            design: "baseline".into(),
            overrides: Vec::new(),
            count: 3,
            seed: "a".into(),
            kernels: vec!["vectoradd".into()],
            most_cycles: 1,
            bench_cycles: 0,
            prove: false,
            results: results.to_owned(),
            first_elaboration: false,
            fresh: false,
        }
    }

    #[test]
    fn a_run_goes_on_where_it_stopped_and_only_with_the_same_model_and_mutants() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("kept.jsonl");
        let (request, drawn) = (request(folder.path()), [site(0), site(10), site(20)]);
        let open = |request: &Request, model: &str, drawn: &[Site]| {
            Kept::open(&path, request, &[], model, drawn).expect("readable").into_judged()
        };
        let mut kept = Kept::open(&path, &request, &[], "m", &drawn).expect("nothing there");
        let verdicts = [
            Verdict::Killed { check: "operand".into(), run: "vectoradd".into(), cycle: 7 },
            Verdict::Survived { passed: 1, active: 2 },
        ];
        for (site, verdict) in drawn.iter().cloned().zip(verdicts) {
            kept.add(Judged { site, verdict, elaborations: 1, proved: String::new() }).expect("writable");
        }
        let judged = kept.into_judged();
        assert_eq!(open(&request, "m", &drawn), judged);
        assert_eq!(open(&request, "m", &[site(0), site(11)]), judged[..1]);
        assert_eq!(open(&request, "another", &drawn), []);
        assert_eq!(open(&Request { seed: "b".into(), ..request.clone() }, "m", &drawn), []);
        let set = heddle_config::Override { key: "register_file.bank_cycles".into(), value: "2".into() };
        assert_eq!(open(&Request { overrides: vec![set], ..request.clone() }, "m", &drawn), []);
        assert_eq!(open(&Request { fresh: true, ..request.clone() }, "m", &drawn), []);
        assert_eq!(open(&Request { bench_cycles: 9, ..request.clone() }, "m", &drawn), []);
        let mut kept = Kept::open(&path, &request, &[], "m", &drawn).expect("readable");
        kept.proved(1, "rules", None).expect("writable");
        assert_eq!(open(&request, "m", &drawn)[1], Judged { proved: "rules".into(), ..judged[1].clone() });
        kept.proved(1, "rules", Some(Verdict::SameNetlist)).expect("writable");
        assert_eq!(open(&request, "m", &drawn)[1].verdict, Verdict::SameNetlist);
        let text = std::fs::read_to_string(&path).expect("there");
        std::fs::write(&path, &text[..text.len() - 9]).expect("writable");
        assert_eq!(open(&request, "m", &drawn), judged[..1]);
    }
}
