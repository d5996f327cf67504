//! The record of one design: a table of numbers by kernel, and the file that keeps it.
//!
//! Lines of the file, fields parted by tabs: `configuration` and its hash; `kernel` and the names of the columns;
//! then a kernel and its numbers a line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What the names of events of a flush begin with.
pub const FLUSH: &str = "flush.";

/// Columns that stand before the events.
const FIRST: [&str; 2] = ["cycles", "warp_instructions"];

/// Cycles, warp instructions and sums of events of one design, by kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Hash of the values that the preset has for the design.
    pub configuration: String,
    /// Numbers by kernel and name; each kernel has all names.
    pub kernels: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Record {
    /// A record in which a number that a kernel lacks and another has is 0.
    pub fn new(configuration: String, mut kernels: BTreeMap<String, BTreeMap<String, u64>>) -> Self {
        let names: BTreeSet<String> = kernels.values().flat_map(BTreeMap::keys).cloned().collect();
        for numbers in kernels.values_mut() {
            for name in &names {
                numbers.entry(name.clone()).or_default();
            }
        }
        Self { configuration, kernels }
    }

    fn names(&self) -> BTreeSet<&str> {
        self.kernels.values().flat_map(BTreeMap::keys).map(String::as_str).collect()
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let names = self.names();
        let events = names.iter().copied().filter(|name| !FIRST.contains(name));
        let columns: Vec<&str> = FIRST.into_iter().chain(events).collect();
        let mut text = format!("configuration\t{}\nkernel\t{}\n", self.configuration, columns.join("\t"));
        for (kernel, numbers) in &self.kernels {
            text.push_str(kernel);
            for column in &columns {
                let number = numbers.get(*column).copied().unwrap_or_default();
                write!(text, "\t{number}").expect("a string takes any text");
            }
            text.push('\n');
        }
        text
    }

    /// The record that a file's text holds, or what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let configuration = lines.next().and_then(|line| line.strip_prefix("configuration\t"));
        let configuration = configuration.ok_or("line 1: 'configuration' and its hash are expected")?;
        let names = lines.next().and_then(|line| line.strip_prefix("kernel\t"));
        let names: Vec<&str> =
            names.ok_or("line 2: 'kernel' and columns are expected")?.split('\t').collect();
        let mut kernels = BTreeMap::new();
        for (line, at) in lines.zip(3..) {
            let mut fields = line.split('\t');
            let kernel = fields.next().unwrap_or_default();
            let numbers: Result<Vec<u64>, _> = fields.map(str::parse).collect();
            let numbers = numbers.map_err(|e| format!("line {at}: {e}"))?;
            if numbers.len() != names.len() {
                return Err(format!("line {at}: {} numbers, {} are expected", numbers.len(), names.len()));
            }
            let row = names.iter().map(|name| (*name).to_owned()).zip(numbers).collect();
            if kernels.insert(kernel.to_owned(), row).is_some() {
                return Err(format!("line {at}: kernel '{kernel}' is there twice"));
            }
        }
        Ok(Self { configuration: configuration.to_owned(), kernels })
    }

    /// In what `measured` differs from this record, a line each.
    pub fn differences(&self, measured: &Self) -> Vec<String> {
        let mut all = Vec::new();
        if self.configuration != measured.configuration {
            all.push(format!("configuration {}, golden {}", measured.configuration, self.configuration));
        }
        let (golden_names, names) = (self.names(), measured.names());
        all.extend(
            golden_names.difference(&names).map(|name| format!("'{name}' is counted only in the golden")),
        );
        all.extend(names.difference(&golden_names).map(|name| format!("'{name}' is not in the golden")));
        let kernels: BTreeSet<&String> = self.kernels.keys().chain(measured.kernels.keys()).collect();
        for kernel in kernels {
            match (self.kernels.get(kernel), measured.kernels.get(kernel)) {
                (Some(golden), Some(numbers)) => all.extend(golden.iter().filter_map(|(name, &golden)| {
                    let number = *numbers.get(name)?;
                    (number != golden).then(|| format!("{kernel}: {name} {number}, golden {golden}"))
                })),
                (Some(_), None) => all.push(format!("{kernel}: only in the golden")),
                (None, _) => all.push(format!("{kernel}: not in the golden")),
            }
        }
        all
    }
}
