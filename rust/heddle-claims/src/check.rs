//! What a file of claims says, held against what there is.

use std::collections::BTreeSet;

use toml::Spanned;

use crate::claim::{Claim, ClaimValue, Expected, Isolation, Need, NeedKind, Paper, Shown, Source, Statement};
use crate::error::ClaimError;
use crate::file::{ClaimFile, ConditionFile, IsolationFile, PaperFile, Text, ValueFile};
use crate::stock::Stock;

/// How far a value may be from the paper's, as a share of it, where the claim says nothing else.
const BAND: f64 = 0.25;

/// A file that is being checked.
#[derive(Clone, Copy)]
pub struct Check<'a> {
    pub text: Text<'a>,
    pub stock: &'a Stock,
}

impl Check<'_> {
    /// The paper that the file says.
    pub fn paper(&self, file: &PaperFile) -> Result<Paper, ClaimError> {
        let stem = self.text.path.file_stem().unwrap_or_default().to_string_lossy();
        if *file.id.get_ref() != *stem {
            let what = format!("id is '{}'; expected the name of the file, '{stem}'", file.id.get_ref());
            return Err(self.text.wrong(file.id.span(), what));
        }
        let mut seen = BTreeSet::new();
        let mut claims = Vec::new();
        for claim in &file.claim {
            if !seen.insert(claim.id.get_ref().as_str()) {
                let what = format!("claim '{}' is there twice; expected other names", claim.id.get_ref());
                return Err(self.text.wrong(claim.id.span(), what));
            }
            claims.push(self.claim(claim)?);
        }
        let (title, source) = (file.title.clone(), file.source.clone());
        Ok(Paper { id: file.id.get_ref().clone(), title, source, claims })
    }

    fn claim(&self, file: &ClaimFile) -> Result<Claim, ClaimError> {
        let id = file.id.get_ref();
        if file.value.get_ref().is_empty() {
            let what = format!("claim '{id}' has no values; expected at least one [[claim.value]]");
            return Err(self.text.wrong(file.value.span(), what));
        }
        let common = self.needs(&file.needs)?;
        let of_claim = file.isolated_by.as_ref().map(|by| self.isolation(by, &common)).transpose()?;
        let mut seen = BTreeSet::new();
        let mut values = Vec::new();
        for value in file.value.get_ref() {
            let own = value.get_ref();
            let name = own.name.as_ref().map_or(id, Spanned::get_ref);
            if !seen.insert(name.as_str()) {
                let span = own.name.as_ref().map_or(value.span(), Spanned::span);
                let what =
                    format!("value '{name}' of claim '{id}' is there twice; expected a name of its own");
                return Err(self.text.wrong(span, what));
            }
            values.push(self.value(name, value, &common, &file.condition, of_claim.as_ref())?);
        }
        let takes = |value: &Spanned<ValueFile>| {
            value.get_ref().experiment.is_some() && value.get_ref().isolated_by.is_none()
        };
        if let Some(unused) = file.isolated_by.as_ref().filter(|_| !file.value.get_ref().iter().any(takes)) {
            let what = "no value of the claim is from results without an isolated_by of its own";
            return Err(self.text.wrong(unused.span(), what));
        }
        let of = |s: &crate::file::StatementFile| Statement {
            place: s.place.clone(),
            value: s.value,
            unit: s.unit.clone(),
        };
        Ok(Claim {
            id: id.clone(),
            place: file.place.clone(),
            quantity: file.quantity.clone(),
            statements: file.statement.iter().map(of).collect(),
            values,
        })
    }

    fn value(
        &self,
        name: &str,
        file: &Spanned<ValueFile>,
        common: &[Spanned<Need>],
        conditions: &[ConditionFile],
        of_claim: Option<&Isolation>,
    ) -> Result<ClaimValue, ClaimError> {
        let own = file.get_ref();
        let wanted = [common, &self.needs(&own.needs)?].concat();
        let is_unmet = |need: &&Spanned<Need>| !self.stock.has(need.get_ref());
        let unmet: Vec<Need> = wanted.iter().filter(is_unmet).map(|n| n.get_ref().clone()).collect();
        let limit =
            own.limit.as_ref().map(|name| self.known(NeedKind::Measure, name, &wanted)).transpose()?;
        let isolated_by = match &own.isolated_by {
            Some(by) => Some(self.isolation(by, &wanted)?),
            None => of_claim.filter(|_| own.experiment.is_some()).cloned(),
        };
        Ok(ClaimValue {
            name: name.to_owned(),
            expected: self.expected(file)?,
            shown: own.shown,
            unit: own.unit.clone(),
            source: self.source(file, &wanted, unmet.is_empty(), conditions)?,
            unmet,
            limit,
            isolated_by,
        })
    }

    /// What explains values that are off; what it shows is a part of a reason, which is a cell of a table.
    fn isolation(
        &self,
        file: &Spanned<IsolationFile>,
        wanted: &[Spanned<Need>],
    ) -> Result<Isolation, ClaimError> {
        let IsolationFile { experiment, shows } = file.get_ref();
        let text = shows.get_ref().trim();
        if text.is_empty() || text.contains([';', ':', '|', '\n']) {
            let what = "expected what the experiment shows, in words without ';', ':', '|' and line breaks";
            return Err(self.text.wrong(shows.span(), what));
        }
        let experiment = self.known(NeedKind::Experiment, experiment, wanted)?;
        Ok(Isolation { experiment, shows: text.to_owned() })
    }

    /// What is needed, with the place where it is said.
    fn needs(&self, list: &[Spanned<String>]) -> Result<Vec<Spanned<Need>>, ClaimError> {
        let one = |written: &Spanned<String>| {
            let expected = "expected 'design:', 'experiment:', 'technology:' or 'measure:' and a name";
            let wrong =
                || self.text.wrong(written.span(), format!("'{}' is no need; {expected}", written.get_ref()));
            let (kind, name) = written.get_ref().split_once(':').ok_or_else(wrong)?;
            let kind = NeedKind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(wrong)?;
            Ok(Spanned::new(written.span(), Need { kind, name: name.to_owned() }))
        };
        list.iter().map(one).collect()
    }

    /// What our value is to be.
    pub fn expected(&self, file: &Spanned<ValueFile>) -> Result<Expected, ClaimError> {
        let own = file.get_ref();
        let order = |list: &Spanned<Vec<Spanned<String>>>| {
            Expected::Ascending(list.get_ref().iter().map(|label| label.get_ref().clone()).collect())
        };
        let near = |value| match (&own.within, &own.band) {
            (Some(distance), _) => Expected::Within { value, distance: *distance.get_ref() },
            (None, band) => Expected::Near { value, band: band.as_ref().map_or(BAND, |b| *b.get_ref()) },
        };
        let all = [
            own.paper.map(near),
            own.exact.map(Expected::Exact),
            own.at_least.map(Expected::AtLeast),
            own.at_most.map(Expected::AtMost),
            own.range.as_ref().map(|range| Expected::Range(*range.get_ref())),
            own.ascending.as_ref().map(order),
        ];
        let mut given = all.into_iter().flatten();
        let (Some(expected), None) = (given.next(), given.next()) else {
            let what = "expected one of paper, exact, at_least, at_most, range and ascending";
            return Err(self.text.wrong(file.span(), what));
        };
        for (key, given) in [("band", &own.band), ("within", &own.within)] {
            if let Some(given) = given.as_ref().filter(|_| own.paper.is_none()) {
                return Err(self.text.wrong(given.span(), format!("{key} has a meaning beside paper only")));
            }
        }
        if let Some(range) = own.range.as_ref().filter(|range| range.get_ref()[0] > range.get_ref()[1]) {
            return Err(self.text.wrong(range.span(), "expected the least value first"));
        }
        Ok(expected)
    }

    fn source(
        &self,
        file: &Spanned<ValueFile>,
        wanted: &[Spanned<Need>],
        complete: bool,
        conditions: &[ConditionFile],
    ) -> Result<Option<Source>, ClaimError> {
        let own = file.get_ref();
        match (&own.experiment, &own.computed) {
            (Some(name), None) => {
                self.known(NeedKind::Experiment, name, wanted)?;
                if !complete {
                    return Ok(None);
                }
                Ok(Some(Source::Experiment(Box::new(self.in_results(file, name, conditions)?))))
            }
            (None, Some(name)) => {
                if let Some(condition) = own.condition.first() {
                    let what = "a computed value has no workloads that could have a property";
                    return Err(self.text.wrong(condition.property.span(), what));
                }
                if own.shown.is_relative() && own.shown != Shown::Change {
                    let what = "a computed measure has no base; expected as change, share or number";
                    return Err(self.text.wrong(name.span(), what));
                }
                let name = self.known(NeedKind::Measure, name, wanted)?;
                if let Some((key, span)) = own.of_results() {
                    let what = format!("{key} is for results of an experiment; a computed value has none");
                    return Err(self.text.wrong(span, what));
                }
                Ok(complete.then_some(Source::Computed(name)))
            }
            _ => {
                let what = "expected experiment, or computed: where our value comes from";
                Err(self.text.wrong(file.span(), what))
            }
        }
    }

    /// A name of something that is there, or that the claim says it needs.
    pub fn known(
        &self,
        kind: NeedKind,
        name: &Spanned<String>,
        wanted: &[Spanned<Need>],
    ) -> Result<String, ClaimError> {
        let need = Need { kind, name: name.get_ref().clone() };
        if self.stock.has(&need) || wanted.iter().any(|wanted| *wanted.get_ref() == need) {
            return Ok(need.name);
        }
        let hint = heddle_suggest::hint_or_list(name.get_ref(), self.stock.names(kind));
        let kind = kind.name();
        let what =
            format!("unknown {kind} '{0}'{hint}; what is to come stands in needs as '{kind}:{0}'", need.name);
        Err(self.text.wrong(name.span(), what))
    }
}
