//! Racetracks: the mapping of figure 7, and what the constants of table 3 allow.

use heddle_passes::{MoveCounts, RowPlace, ascending_places, map_rows, shifts};

use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// Racetrack, figure 7: five registers in a bank with one port, six accesses.
pub const EXAMPLE: Family = Family {
    measures: &[
        (
            "racetrack-example-traces",
            "traces of five registers and six accesses in which an exchange turns 12 shifts into 6, the fewest",
        ),
        ("racetrack-example-shifts", "most shifts that the mapping leaves in one of these traces"),
    ],
    compute: example,
    command: None,
};

/// Racetrack, table 3.
pub const SAVING: Family = Family {
    measures: &[(
        "racetrack-most-saving",
        "change of energy of an access at most, by the constants of the technology: reads alone, without shifts",
    )],
    compute: saving,
    command: Some("heddle energy"),
};

/// Registers and accesses of figure 7.
const REGISTERS: usize = 5;
const ACCESSES: u32 = 6;
/// Shifts of figure 7 before and after.
const SHIFTS: (u64, u64) = (12, 6);

fn example(_: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let ascending = ascending_places(REGISTERS, 1);
    let mut exchanged = ascending.clone();
    exchanged.swap(0, REGISTERS - 1);
    let orders = orders(REGISTERS);
    let (mut traces, mut most) = (0_u32, 0);
    for code in 0..REGISTERS.pow(ACCESSES) {
        let trace: Vec<usize> = (0..ACCESSES).map(|i| code / REGISTERS.pow(i) % REGISTERS).collect();
        let all_used = (0..REGISTERS).all(|register| trace.contains(&register));
        let moves = MoveCounts::of(REGISTERS, &trace);
        if !all_used || (shifts(&moves, &ascending), shifts(&moves, &exchanged)) != SHIFTS {
            continue;
        }
        if orders.iter().map(|order| shifts(&moves, order)).min() == Some(SHIFTS.1) {
            traces += 1;
            most = most.max(shifts(&moves, &map_rows(&moves, 1).places));
        }
    }
    Ok(vec![("racetrack-example-traces", f64::from(traces)), ("racetrack-example-shifts", most as f64)])
}

/// All orders of `rows` rows before one port.
fn orders(rows: usize) -> Vec<Vec<RowPlace>> {
    let longer = |orders: Vec<Vec<RowPlace>>, row: usize| -> Vec<Vec<RowPlace>> {
        let with = |order: &Vec<RowPlace>, offset: usize| {
            let moved = order.iter().map(|place| RowPlace {
                port: 0,
                offset: place.offset + usize::from(place.offset >= offset),
            });
            moved.chain([RowPlace { port: 0, offset }]).collect()
        };
        orders.iter().flat_map(|order| (0..=row).map(move |offset| with(order, offset))).collect()
    };
    (0..rows).fold(vec![Vec::new()], longer)
}

fn saving(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let missing = |what: &str| fail("racetrack-most-saving")(format!("technology racetrack has no {what}"));
    let technology = stock.technologies().get("racetrack").ok_or_else(|| missing("file"))?;
    let constant = |name: &str| technology.constants.get(name).map(|c| c.value).ok_or_else(|| missing(name));
    let (sram, track) = (
        (constant("sram_read")?, constant("sram_write")?),
        (constant("track_read")?, constant("track_write")?),
    );
    // A result enters the write buffer and leaves it.
    let write = track.1 + constant("buffer_read")? + constant("buffer_write")?;
    let most = (track.0 / sram.0).min(write / sram.1) - 1.0;
    Ok(vec![("racetrack-most-saving", most)])
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn there_are_as_many_orders_as_permutations() {
        let all: std::collections::BTreeSet<Vec<usize>> =
            orders(5).iter().map(|order| order.iter().map(|place| place.offset).collect()).collect();
        assert_eq!(all.len(), 120);
    }
}
