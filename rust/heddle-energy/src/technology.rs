//! A technology, checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use heddle_files::Input;
use toml::Spanned;

use crate::error::EnergyError;
use crate::file::{ConstantFile, DesignFile, Number, TechnologyFile, Text};
use crate::names::{Named, Names};
use crate::unit::Unit;

/// Folder of the repository with the technologies.
const FOLDER: &str = "technologies";
/// A technology has some kilobytes.
const FILE: Input = Input { expected: "a technology in TOML", most: 1 << 20 };

/// A constant and where it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// Its value in its unit.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
    /// Name of the unit.
    pub unit_name: String,
    /// Publication's table or section, or what was assumed.
    pub source: String,
}

/// Energy of each event of a count.
#[derive(Debug, Clone, PartialEq)]
pub struct Dynamic {
    /// Dotted name of the count in a row.
    pub count: String,
    /// Energy of an event in pJ.
    pub picojoule: f64,
}

/// Power, in all cycles or in some.
#[derive(Debug, Clone, PartialEq)]
pub struct Leakage {
    /// Power in mW.
    pub milliwatt: f64,
    /// Dotted name of the count of cycles; all of the run's where there is none.
    pub during: Option<String>,
}

/// What takes energy.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// By events.
    pub dynamic: Vec<Dynamic>,
    /// By time.
    pub leakage: Vec<Leakage>,
    /// Its area in the unit of the technology's areas; `None` where nothing is known of it.
    pub area: Option<f64>,
}

/// What some designs take.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignEnergy {
    /// The designs.
    pub names: Vec<String>,
    /// Keys of a preset with the values that the constants are of.
    pub of: BTreeMap<String, f64>,
    /// Their components.
    pub components: Vec<Component>,
}

/// A technology.
#[derive(Debug, Clone, PartialEq)]
pub struct Technology {
    /// Its file.
    pub path: PathBuf,
    /// What it is about.
    pub title: String,
    /// The publication.
    pub source: String,
    /// Constants by name.
    pub constants: BTreeMap<String, Constant>,
    /// Designs.
    pub designs: Vec<DesignEnergy>,
    /// What areas are measured in, square millimetres or bits; `None` where the technology has none.
    pub area_unit: Option<Unit>,
    /// What its designs name, in its file or that of its base.
    named: Names,
}

impl DesignEnergy {
    /// Areas of the components that have one, summed; `None` where none has.
    #[must_use]
    pub fn area(&self) -> Option<f64> {
        let areas: Vec<f64> = self.components.iter().filter_map(|component| component.area).collect();
        (!areas.is_empty()).then(|| areas.iter().sum())
    }
}

impl Technology {
    /// Names of the technologies of the repository at `root`, in order.
    #[must_use]
    pub fn names(root: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(root.join(FOLDER)).into_iter().flatten().flatten();
        let files = entries.map(|entry| entry.path()).filter(|p| p.extension().is_some_and(|e| e == "toml"));
        let names = files.filter_map(|p| Some(p.file_stem()?.to_string_lossy().into_owned()));
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The technology with a name in the repository at `root`, or in the file `name` if that ends in `.toml`.
    ///
    /// # Errors
    /// [`EnergyError`]: there is none, or it says something that it cannot.
    pub fn load(root: &Path, name: &str) -> Result<Self, EnergyError> {
        let path = if name.ends_with(".toml") {
            PathBuf::from(name)
        } else {
            Self::named(root, name).map_err(|hint| EnergyError::Unknown { name: name.to_owned(), hint })?
        };
        let text = FILE.text(&path)?;
        let text = Text { path: &path, text: &text };
        let TechnologyFile { title, source, base, constants, design } = text.parse()?;
        let Some(base) = base else {
            if design.is_empty() {
                return Err(text.wrong(0..0, "expected a [[design]], or a base"));
            }
            let constants = constants.ok_or_else(|| text.wrong(0..0, "expected [constants]"))?;
            let constants = checked_all(text, constants)?;
            let named = Names::new(text, &design);
            let (designs, area_unit) = of_designs(text, &constants, design)?;
            return Ok(Self { path, title, source, constants, designs, area_unit, named });
        };
        let wrong = |message: String| text.wrong(base.span(), message);
        if !design.is_empty() {
            return Err(wrong(
                "a technology on a base has constants alone, and the base's designs".to_owned(),
            ));
        }
        let Some(constants) = constants else {
            return Err(wrong("expected [constants] with those that differ from the base's".to_owned()));
        };
        let name = base.get_ref();
        let under =
            Self::named(root, name).map_err(|hint| wrong(format!("unknown technology '{name}'{hint}")))?;
        let base_text = FILE.text(&under)?;
        let base_text = Text { path: &under, text: &base_text };
        let under = base_text.parse()?;
        if under.base.is_some() {
            return Err(wrong(format!("'{name}' stands on a base itself; expected one that does not")));
        }
        let none = || base_text.wrong(0..0, "expected [constants]");
        let mut known = checked_all(base_text, under.constants.ok_or_else(none)?)?;
        replace(text, &mut known, constants)?;
        let named = Names::new(base_text, &under.design);
        let (designs, area_unit) = of_designs(base_text, &known, under.design)?;
        Ok(Self { path, title, source, constants: known, designs, area_unit, named })
    }

    /// The file of the technology with a name in the repository at `root`; else a hint.
    fn named(root: &Path, name: &str) -> Result<PathBuf, String> {
        let names = Self::names(root);
        if names.iter().any(|known| known == name) {
            return Ok(root.join(FOLDER).join(format!("{name}.toml")));
        }
        Err(heddle_suggest::hint_or_list(name, names.iter().map(String::as_str)))
    }

    /// Refuses the first name of a design, a count or a key of a preset that `check` refuses, at its place.
    ///
    /// # Errors
    /// [`EnergyError::At`], with what `check` says.
    pub fn check_names(&self, check: impl Fn(&Named) -> Result<(), String>) -> Result<(), EnergyError> {
        self.named.check(check)
    }

    /// What a design takes.
    ///
    /// # Errors
    /// [`EnergyError::Design`].
    pub fn design(&self, name: &str) -> Result<&DesignEnergy, EnergyError> {
        let found = self.designs.iter().find(|design| design.names.iter().any(|known| known == name));
        found.ok_or_else(|| {
            let known: Vec<&str> =
                self.designs.iter().flat_map(|design| &design.names).map(String::as_str).collect();
            let hint = heddle_suggest::hint_or_list(name, known.iter().copied());
            EnergyError::Design { path: self.path.clone(), design: name.to_owned(), hint }
        })
    }
}

/// The designs of a file, and the unit of their areas.
fn of_designs(
    text: Text<'_>,
    constants: &BTreeMap<String, Constant>,
    designs: Vec<DesignFile>,
) -> Result<(Vec<DesignEnergy>, Option<Unit>), EnergyError> {
    let mut seen = BTreeSet::new();
    let mut area_unit = None;
    let mut checked = Vec::new();
    for design in designs {
        let names = design.names.get_ref();
        if names.is_empty() {
            return Err(text.wrong(design.names.span(), "expected the name of a design"));
        }
        if let Some(again) = names.iter().find(|name| !seen.insert(name.get_ref().clone())) {
            let message = format!("design '{}' is there already", again.get_ref());
            return Err(text.wrong(again.span(), message));
        }
        checked.push(of_design(text, constants, design, &mut area_unit)?);
    }
    Ok((checked, area_unit))
}

fn checked_all(
    text: Text<'_>,
    constants: BTreeMap<String, Spanned<ConstantFile>>,
) -> Result<BTreeMap<String, Constant>, EnergyError> {
    constants.into_iter().map(|(name, constant)| Ok((name, checked(text, constant)?))).collect()
}

/// Puts the constants of a technology in the place of those of its base, which has to have them in the same unit.
fn replace(
    text: Text<'_>,
    base: &mut BTreeMap<String, Constant>,
    constants: BTreeMap<String, Spanned<ConstantFile>>,
) -> Result<(), EnergyError> {
    for (name, constant) in constants {
        let span = constant.span();
        let constant = checked(text, constant)?;
        match base.get_mut(&name) {
            Some(known) if known.unit == constant.unit => *known = constant,
            Some(known) => {
                let what =
                    format!("constant '{name}' of the base is in {}; expected that unit", known.unit_name);
                return Err(text.wrong(span, what));
            }
            None => {
                let hint = heddle_suggest::hint_or_list(&name, base.keys().map(String::as_str));
                return Err(text.wrong(span, format!("the base has no constant '{name}'{hint}")));
            }
        }
    }
    Ok(())
}

fn checked(text: Text<'_>, constant: Spanned<ConstantFile>) -> Result<Constant, EnergyError> {
    let ConstantFile { value, unit, source } = constant.into_inner();
    let number = match *value.get_ref() {
        Number::Whole(number) => number,
        Number::Fraction([above, below]) => above / below,
    };
    if !number.is_finite() || number < 0.0 {
        let what = "expected a finite number that is not negative, and not 0 as a divisor";
        return Err(text.wrong(value.span(), what));
    }
    let Some(of) = Unit::named(unit.get_ref()) else {
        let hint = heddle_suggest::hint_or_list(unit.get_ref(), Unit::NAMES);
        return Err(text.wrong(unit.span(), format!("unknown unit '{}'{hint}", unit.get_ref())));
    };
    if source.get_ref().trim().is_empty() {
        return Err(text.wrong(source.span(), "a constant needs its source"));
    }
    let (unit_name, source) = (unit.into_inner(), source.into_inner());
    Ok(Constant { value: number, unit: of, unit_name, source })
}

/// The product of constants, which must be in one of the units `expected`, and which of them it is in.
fn product(
    text: Text<'_>,
    constants: &BTreeMap<String, Constant>,
    factors: &Spanned<Vec<Spanned<String>>>,
    expected: &[Unit],
) -> Result<(f64, Unit), EnergyError> {
    let (mut value, mut unit) = (1.0, Unit::ONE);
    for factor in factors.get_ref() {
        let Some(constant) = constants.get(factor.get_ref()) else {
            let hint = heddle_suggest::hint_or_list(factor.get_ref(), constants.keys().map(String::as_str));
            return Err(text.wrong(factor.span(), format!("unknown constant '{}'{hint}", factor.get_ref())));
        };
        value *= constant.value;
        unit = unit.times(constant.unit);
    }
    if !expected.contains(&unit) {
        let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        let what = format!("the product is in {unit}; expected {}", expected.join(" or "));
        return Err(text.wrong(factors.span(), what));
    }
    if !value.is_finite() {
        return Err(text.wrong(factors.span(), "the product is too large; expected smaller constants"));
    }
    Ok((value, unit))
}

fn of_design(
    text: Text<'_>,
    constants: &BTreeMap<String, Constant>,
    design: DesignFile,
    area_unit: &mut Option<Unit>,
) -> Result<DesignEnergy, EnergyError> {
    let (mut components, mut areas) = (Vec::new(), 0.0_f64);
    for component in design.component {
        let mut dynamic = Vec::new();
        for term in component.dynamic {
            let (picojoule, _) = product(text, constants, &term.energy, &[Unit::ENERGY])?;
            dynamic.push(Dynamic { count: term.count.into_inner(), picojoule });
        }
        let mut leakage = Vec::new();
        for term in component.leakage {
            let (milliwatt, _) = product(text, constants, &term.power, &[Unit::POWER])?;
            leakage.push(Leakage { milliwatt, during: term.during.map(Spanned::into_inner) });
        }
        let mut area = None;
        for term in &component.area {
            let known = area_unit.map_or_else(|| vec![Unit::AREA, Unit::BITS], |unit| vec![unit]);
            let (value, unit) = product(text, constants, term, &known)?;
            *area_unit = Some(unit);
            areas += value;
            if !areas.is_finite() {
                let what = "the sum of areas is too large; expected smaller constants";
                return Err(text.wrong(term.span(), what));
            }
            area = Some(area.unwrap_or(0.0) + value);
        }
        components.push(Component { name: component.name, dynamic, leakage, area });
    }
    let names = design.names.into_inner().into_iter().map(Spanned::into_inner).collect();
    let of = design.of.into_iter().map(|(key, value)| (key.into_inner(), value)).collect();
    Ok(DesignEnergy { names, of, components })
}
