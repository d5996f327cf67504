//! Rates that the rows of a design are to reach, at size `small`: the table `bench` of its manifest.

use heddle_rtl::BenchTargets;

/// What was measured of one design with one kernel.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    /// Cycles of the cycle model per CPU second.
    pub model: f64,
    /// Cycles of the co-simulation per CPU second.
    pub cosim: f64,
    /// Microseconds a cycle that the co-simulation spends outside the verilated model.
    pub outside: f64,
}

/// The kernel on which the model's rate is to be reached.
const MODEL_KERNEL: &str = "matrixmul";

/// What a design is to reach, as its manifest says.
#[derive(Debug, Clone, Copy)]
pub struct Targets<'a> {
    /// The design or variant.
    pub design: &'a str,
    /// Its manifest's.
    pub rates: BenchTargets,
}

impl Targets<'_> {
    /// The targets in words.
    pub fn text(&self) -> String {
        let model = self.rates.model.map(|v| format!("model {} k cycles/s on {MODEL_KERNEL}", v / 1e3));
        let cosim = self.rates.cosim.map(|v| format!("co-simulation {} k cycles/s", v / 1e3));
        let outside = self.rates.outside.map(|v| format!("at most {v} µs a cycle outside the RTL"));
        let parts: Vec<String> = [model, cosim, outside].into_iter().flatten().collect();
        format!("to reach with {}: {}; per CPU second", self.design, parts.join(", "))
    }

    /// What fell short with `kernel`, a line each.
    pub fn missed(&self, kernel: &str, rates: Rates) -> Vec<String> {
        let model = self.rates.model.filter(|v| kernel == MODEL_KERNEL && !at_most(*v, rates.model));
        let model = model.map(|v| format!("model {:.1} k cycles/s, {} to reach", rates.model / 1e3, v / 1e3));
        let cosim = self.rates.cosim.filter(|v| !at_most(*v, rates.cosim));
        let cosim =
            cosim.map(|v| format!("co-simulation {:.1} k cycles/s, {} to reach", rates.cosim / 1e3, v / 1e3));
        let outside = self.rates.outside.filter(|v| !at_most(rates.outside, *v));
        let outside =
            outside.map(|v| format!("{:.2} µs a cycle outside the RTL, {v} at most", rates.outside));
        let lines = [model, cosim, outside].into_iter().flatten();
        lines.map(|line| format!("{} {kernel}: {line}", self.design)).collect()
    }
}

/// `a <= b`; false where one is no number.
fn at_most(a: f64, b: f64) -> bool {
    a <= b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(design: &str, model: Option<f64>, cosim: Option<f64>, outside: Option<f64>) -> Targets<'_> {
        Targets { design, rates: BenchTargets { model, cosim, outside } }
    }

    #[test]
    fn each_rate_that_falls_short_is_named_with_its_row() {
        let ltrf = targets("ltrf", Some(500e3), Some(50e3), Some(6.0));
        let enough = Rates { model: 500e3, cosim: 50e3, outside: 6.0 };
        assert!(ltrf.missed("matrixmul", enough).is_empty());
        let slow = Rates { model: 499.9e3, cosim: 49.9e3, outside: 6.01 };
        assert_eq!(
            ltrf.missed("matrixmul", slow),
            [
                "ltrf matrixmul: model 499.9 k cycles/s, 500 to reach",
                "ltrf matrixmul: co-simulation 49.9 k cycles/s, 50 to reach",
                "ltrf matrixmul: 6.01 µs a cycle outside the RTL, 6 at most",
            ]
        );
        // The model's rate is set for one kernel; a design need not have all of them.
        assert_eq!(ltrf.missed("bfs", slow).len(), 2);
        let racetrack = targets("racetrack", None, Some(25e3), None);
        assert!(racetrack.missed("matrixmul", slow).is_empty());
        assert_eq!(racetrack.missed("bfs", Rates { cosim: 24.9e3, ..slow }).len(), 1);
        // A rate that is no number reaches nothing.
        let none = Rates { model: f64::NAN, cosim: f64::NAN, outside: f64::NAN };
        assert_eq!(ltrf.missed("matrixmul", none).len(), 3);
    }
}
