//! Areas of register files, by the constants of technologies.

use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// Hybrid, tables 1 and 2.
pub const HYBRID: Family = Family {
    measures: &[
        ("sttram-area", "area of the STT-RAM file by that of SRAM"),
        (
            "hybrid-area",
            "area of the hybrid file with power gating, both buffers by the bit, by that of SRAM",
        ),
        ("hybrid-area-one-buffer", "the same with one of the two buffers"),
    ],
    compute: hybrid,
    command: Some("heddle energy"),
};

/// LTRF, section 5.3.
pub const LTRF: Family = Family {
    measures: &[("ltrf-area", "change of the area of the register file, by the bits of what is added")],
    compute: ltrf,
    command: Some("heddle energy"),
};

/// Racetrack, section 5.3.
pub const RACETRACK: Family = Family {
    measures: &[(
        "racetrack-area",
        "area of 256 KB of racetracks by that of 128 KB of SRAM, by the density of cells and the periphery of SRAM",
    )],
    compute: racetrack,
    command: Some("heddle energy"),
};

/// The area of a design by that of the baseline.
fn relative(stock: &Stock, technology: &str, design: &str, measure: &'static str) -> Result<f64, ClaimError> {
    let missing = |what: String| fail(measure)(format!("technology {technology} has no {what}"));
    let found = stock.technologies().get(technology).ok_or_else(|| missing("file".to_owned()))?;
    let area =
        |design: &str| found.design(design)?.area().ok_or_else(|| missing(format!("area of {design}")));
    Ok(area(design)? / area("baseline")?)
}

fn hybrid(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let of = |design, measure| relative(stock, "hybrid", design, measure);
    let (pure, both) = (of("sttram", "sttram-area")?, of("hybrid-gated", "hybrid-area")?);
    let one = pure + (both - pure) / 2.0;
    Ok(vec![("sttram-area", pure), ("hybrid-area", both), ("hybrid-area-one-buffer", one)])
}

fn racetrack(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    Ok(vec![("racetrack-area", relative(stock, "racetrack", "racetrack", "racetrack-area")?)])
}

fn ltrf(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    Ok(vec![("ltrf-area", relative(stock, "ltrf", "ltrf", "ltrf-area")? - 1.0)])
}
