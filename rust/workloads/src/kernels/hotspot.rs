//! Thermal simulation of a chip by pyramids of time steps (Rodinia: `hotspot`).
//!
//! The reference is exact: it advances the whole grid one step at a time with the fused and plain IEEE
//! operations that the source of the kernel names, in their order, and knows nothing of tiles.

use heddle_isa::{DeviceMemory, KernelLaunch};

use super::{arg, ptx};
use crate::buffers::{Buffer, Host};
use crate::input::{InputFile, floats, take};
use crate::params::ParamBlock;
use crate::pinned::Pinned;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::{CheckFailure, Checked, Entry, Instance, Launch, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "hotspot" };
const TILE: usize = 16;
/// Steps of a launch, which is also the rim that a tile loses.
const HEIGHT: usize = 2;

/// The workload.
struct Hotspot;

inventory::submit! { Entry(&Hotspot) }

inventory::submit! {
    Entry(&Pinned {
        name: "hotspot-racetrack",
        title: "hotspot with the registers per thread of the racetrack paper",
        base: &Hotspot,
        rows: &[published("hotspot", "racetrack/hotspot", &[])],
    })
}

/// Cells of the chip, and time steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chip {
    rows: usize,
    columns: usize,
    steps: usize,
}

fn chip(size: Size) -> Chip {
    let (rows, columns, steps) = match size {
        Size::Smoke => (34, 40, 3),
        Size::Small => (126, 130, 7),
        Size::Paper => (1024, 1024, 8),
    };
    Chip { rows, columns, steps }
}

/// Physical constants of a step, as the host of the Rodinia benchmark derives them for a chip of
/// 16 mm x 16 mm x 0.5 mm.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Physics {
    capacitance: f32,
    rx: f32,
    ry: f32,
    rz: f32,
    dt: f32,
}

#[allow(clippy::cast_precision_loss)]
fn physics(chip: Chip) -> Physics {
    const THICKNESS: f32 = 0.0005;
    const SIDE: f32 = 0.016;
    const SPECIFIC_HEAT: f32 = 1.75e6;
    const CONDUCTIVITY: f32 = 100.0;
    const PRECISION: f32 = 0.001;
    const MAX_POWER_DENSITY: f32 = 3.0e6;
    let height = SIDE / chip.rows as f32;
    let width = SIDE / chip.columns as f32;
    let slope = MAX_POWER_DENSITY / (0.5 * THICKNESS * SPECIFIC_HEAT);
    Physics {
        capacitance: 0.5 * SPECIFIC_HEAT * THICKNESS * width * height,
        rx: width / (2.0 * CONDUCTIVITY * THICKNESS * height),
        ry: height / (2.0 * CONDUCTIVITY * THICKNESS * width),
        rz: THICKNESS / (CONDUCTIVITY * height * width),
        dt: PRECISION / slope,
    }
}

impl Workload for Hotspot {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "thermal stencil in pyramids: shared memory, barriers, divergence at borders"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("hotspot", "hotspot/calculate_temp", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("hotspot")
    }

    fn size_text(&self, size: Size) -> String {
        let c = chip(size);
        format!("{}x{} cells, {} steps", c.rows, c.columns, c.steps)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let chip = chip(size);
        let mut random = SplitMix64::new(seed, 0);
        let mut field = |low: f32, high: f32| -> Vec<f32> {
            (0..chip.rows * chip.columns).map(|_| random.f32_in(low, high)).collect()
        };
        let (temperature, power) = (field(323.0, 342.0), field(0.0, 0.01));
        Ok(Box::new(Run { chip, temperature, power, buffers: None, done: 0 }))
    }

    fn input_files(&self) -> &'static [&'static str] {
        &["the temperatures of a square chip, row by row", "the power of its cells"]
    }

    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        let [first, second] = take(self, files)?;
        let (temperature, power) = (floats(first)?, floats(second)?);
        let cells = temperature.len();
        let side = cells.isqrt();
        if cells == 0 || side * side != cells {
            return Err(first.unfit("the cells of a square", format!("{cells} floats")).into());
        }
        if power.len() != cells {
            return Err(second.unfit(format!("{cells} floats"), power.len().to_string()).into());
        }
        let chip = Chip { rows: side, columns: side, ..chip(Size::Paper) };
        Ok(Box::new(Run { chip, temperature, power, buffers: None, done: 0 }))
    }
}

struct Run {
    chip: Chip,
    temperature: Vec<f32>,
    power: Vec<f32>,
    /// Power, and the two temperatures that the launches swap.
    buffers: Option<(Buffer, [Buffer; 2])>,
    /// Steps handed out.
    done: usize,
}

impl Run {
    /// Index of the temperature buffer that is read when `done` steps are complete.
    fn current(done: usize) -> usize {
        done.div_ceil(HEIGHT) % 2
    }
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        let power = HOST.upload(memory, "power", &self.power)?;
        let even = HOST.upload(memory, "temperature 0", &self.temperature)?;
        let odd = HOST.allocate::<f32>(memory, "temperature 1", self.temperature.len())?;
        self.buffers = Some((power, [even, odd]));
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let (power, temperature) = self.buffers.ok_or_else(|| HOST.not_set_up())?;
        let steps = HEIGHT.min(self.chip.steps - self.done);
        if steps == 0 {
            return Ok(None);
        }
        let source = Self::current(self.done);
        self.done += steps;
        let kept = TILE - 2 * HEIGHT;
        let physics = physics(self.chip);
        Ok(Some(Launch {
            entry: "hotspot".into(),
            launch: KernelLaunch {
                grid: [arg(self.chip.columns.div_ceil(kept)), arg(self.chip.rows.div_ceil(kept)), 1],
                block: [arg(TILE), arg(TILE), 1],
                params: ParamBlock::new()
                    .u32(arg(steps))
                    .pointer(power.address)
                    .pointer(temperature[source].address)
                    .pointer(temperature[1 - source].address)
                    .u32(arg(self.chip.columns))
                    .u32(arg(self.chip.rows))
                    .u32(arg(HEIGHT))
                    .f32(physics.capacitance)
                    .f32(physics.rx)
                    .f32(physics.ry)
                    .f32(physics.rz)
                    .f32(physics.dt)
                    .finish(),
                ..KernelLaunch::default()
            },
        }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let (_, temperature) = self.buffers.ok_or_else(|| HOST.unchecked())?;
        let physics = physics(self.chip);
        // The buffer that the last launch read holds the state before it.
        let last = self.chip.steps - (self.chip.steps - 1) % HEIGHT - 1;
        let mut field = self.temperature.clone();
        for _ in 0..last {
            field = step(self.chip, &physics, &field, &self.power);
        }
        let mut words = HOST.expect(memory, temperature[Self::current(last)], &field)?;
        for _ in last..self.chip.steps {
            field = step(self.chip, &physics, &field, &self.power);
        }
        words += HOST.expect(memory, temperature[Self::current(self.chip.steps)], &field)?;
        Ok(Checked::exact(words))
    }
}

/// One time step of the whole chip. A cell at the border is its own neighbour there.
fn step(chip: Chip, physics: &Physics, field: &[f32], power: &[f32]) -> Vec<f32> {
    const AMBIENT: f32 = 80.0;
    let scale = physics.dt / physics.capacitance;
    let (gx, gy, gz) = (1.0 / physics.rx, 1.0 / physics.ry, 1.0 / physics.rz);
    let cell = |row: usize, column: usize| row * chip.columns + column;
    let mut next = Vec::with_capacity(field.len());
    for row in 0..chip.rows {
        for column in 0..chip.columns {
            let t = field[cell(row, column)];
            let north = field[cell(row.saturating_sub(1), column)];
            let south = field[cell((row + 1).min(chip.rows - 1), column)];
            let west = field[cell(row, column.saturating_sub(1))];
            let east = field[cell(row, (column + 1).min(chip.columns - 1))];
            let vertical = (-2.0_f32).mul_add(t, south + north);
            let horizontal = (-2.0_f32).mul_add(t, east + west);
            let flow = vertical.mul_add(gy, power[cell(row, column)]);
            let flow = horizontal.mul_add(gx, flow);
            let flow = (AMBIENT - t).mul_add(gz, flow);
            next.push(scale.mul_add(flow, t));
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Physics = Physics { capacitance: 1.0, rx: 1.0, ry: 1.0, rz: 1.0, dt: 0.25 };

    #[test]
    fn heat_flows_to_the_neighbours() {
        let chip = Chip { rows: 3, columns: 3, steps: 1 };
        let mut field = [80.0; 9];
        field[4] = 84.0;
        let next = step(chip, &PLAIN, &field, &[0.0; 9]);
        // The centre loses a quarter of 4 to each neighbour and to the package: 84 - 0.25 * (16 + 4).
        assert_eq!(next[4], 79.0);
        for neighbour in [1, 3, 5, 7] {
            assert_eq!(next[neighbour], 81.0);
        }
        for corner in [0, 2, 6, 8] {
            assert_eq!(next[corner], 80.0);
        }
    }

    #[test]
    fn power_heats_a_chip_of_one_cell() {
        let chip = Chip { rows: 1, columns: 1, steps: 1 };
        assert_eq!(step(chip, &PLAIN, &[80.0], &[8.0]), [82.0]);
    }

    #[test]
    fn rows_and_columns_are_not_mixed_up() {
        let chip = Chip { rows: 2, columns: 3, steps: 1 };
        let vertical_only = Physics { rx: f32::INFINITY, rz: f32::INFINITY, ..PLAIN };
        let field = [80.0, 84.0, 80.0, 80.0, 80.0, 80.0];
        let next = step(chip, &vertical_only, &field, &[0.0; 6]);
        assert_eq!(next, [80.0, 83.0, 80.0, 80.0, 81.0, 80.0]);
    }

    #[test]
    fn steps_are_stable_and_tiles_overhang_the_chip() {
        for size in Size::ALL {
            let chip = chip(size);
            let p = physics(chip);
            let gain = p.dt / p.capacitance * (2.0 / p.rx + 2.0 / p.ry + 1.0 / p.rz);
            assert!(gain < 1.0, "{gain}");
        }
        assert_ne!(chip(Size::Smoke).rows % (TILE - 2 * HEIGHT), 0);
        assert_ne!(chip(Size::Smoke).columns % (TILE - 2 * HEIGHT), 0);
    }
}
