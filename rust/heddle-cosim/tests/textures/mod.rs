//! Textures and surfaces from CUDA C++ through every machine: values, addresses, and what is refused.

mod fetches;
mod references;
mod surfaces;

use heddle_cosim::{Engine, RunError, RunReport};
use heddle_isa::texture::{Binding, Filter, Format, Geometry, Image, Sampler, Texture};
use heddle_workloads::script::Script;

use crate::made::{HOST, Made};

const COLUMNS: usize = 37;
const ROWS: usize = 9;

/// Which entry runs, and with what in place of the right surface.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Case {
    Right,
    /// The texture's handle where the surface's is wanted.
    TextureForSurface,
    /// A handle that was never given out.
    Unknown,
    /// An image of one row for the kernel that wants two axes.
    WrongGeometry,
    /// A store outside the surface with `.trap`.
    Trap,
}

fn image_value(x: usize, y: usize) -> f32 {
    ((x * 31 + y * 17) % 64) as f32 - 20.0
}

fn number(i: usize) -> i16 {
    (i as i16).wrapping_mul(977)
}

/// Average of a texel, its right neighbour and the two below, the last row and column standing for those
/// behind them.
fn between(x: usize, y: usize) -> f32 {
    let (x1, y1) = ((x + 1).min(COLUMNS - 1), (y + 1).min(ROWS - 1));
    (image_value(x, y) + image_value(x1, y) + image_value(x, y1) + image_value(x1, y1)) / 4.0
}

fn before(i: usize) -> f32 {
    i.checked_sub(3).map_or(0.0, |i| f32::from(number(i)))
}

fn right(x: usize, y: usize) -> f32 {
    if x + 1 < COLUMNS { image_value(x + 1, y) } else { 0.0 }
}

fn script(case: Case) -> Script {
    let mut s = Script::new(HOST);
    let texels: Vec<f32> = (0..ROWS * COLUMNS).map(|i| image_value(i % COLUMNS, i / COLUMNS)).collect();
    let numbers: Vec<u32> = (0..(ROWS * COLUMNS).div_ceil(2))
        .map(|i| u32::from(number(2 * i) as u16) | u32::from(number(2 * i + 1) as u16) << 16)
        .collect();
    let image_buffer = s.input("image", &texels);
    let number_buffer = s.input("numbers", &numbers);
    let copy_buffer = s.input("copy", &vec![-1.0_f32; ROWS * COLUMNS * 4]);
    let out = s.output::<f32>("out", ROWS * COLUMNS);
    let extent = [COLUMNS as u32, ROWS as u32, 1];
    let image = Image::dense(Geometry::D2, Format::F32, 1, extent, 0);
    let sampler = Sampler { filter: Filter::Linear, ..Sampler::default() };
    let wrong = Image::dense(Geometry::D1, Format::F32, 1, [COLUMNS as u32, 1, 1], 0);
    let first = if case == Case::WrongGeometry { wrong } else { image };
    let texture = s.texture(image_buffer, Binding::Texture(Texture { image: first, sampler }));
    let linear = Image::dense(Geometry::Linear, Format::S16, 1, [(ROWS * COLUMNS) as u32, 1, 1], 0);
    let linear = Texture { image: linear, sampler: Sampler::default() };
    let linear = s.texture(number_buffer, Binding::Texture(linear));
    let surface = s.texture(image_buffer, Binding::Surface(image));
    let copy = Image::dense(Geometry::D2, Format::F32, 4, extent, 0);
    let copy = s.texture(copy_buffer, Binding::Surface(copy));
    if case == Case::Trap {
        s.launch("trap", [1, 1, 1], [COLUMNS + 1, 1, 1]).handle(surface);
    } else {
        let launch = s.launch("textures", [ROWS, 1, 1], [COLUMNS, 1, 1]).handle(texture).handle(linear);
        match case {
            Case::TextureForSurface => launch.handle(texture),
            Case::Unknown => launch.u64(0x1234),
            _ => launch.handle(surface),
        };
        launch.handle(copy).pointer(out);
    }
    s.judge(move |r| {
        let at = |i: usize| (i % COLUMNS, i / COLUMNS);
        let sums: Vec<f32> = (0..ROWS * COLUMNS)
            .map(|i| {
                let (x, y) = at(i);
                between(x, y) + before(i) + right(x, y)
            })
            .collect();
        r.exact(out, &sums)?;
        let mut copies = vec![-1.0_f32; ROWS * COLUMNS * 4];
        for i in 0..ROWS * COLUMNS {
            let (x, y) = at(i);
            if x != 0 && x != 2 {
                let four = [between(x, y), before(i), right(x, y), i as f32];
                copies[4 * (i - 1)..4 * i].copy_from_slice(&four);
            }
        }
        r.exact(copy_buffer, &copies)
    });
    s
}

fn run(case: Case, design: &str, engine: Engine, registers: u32) -> Result<RunReport, RunError> {
    Made::new(include_str!("../data/textures.ptx"), move || script(case)).run(design, engine, registers)
}

#[test]
fn every_machine_fetches_and_stores_the_same() {
    let words = (ROWS * COLUMNS * 5) as u64;
    // Halfway between texels the linear filter reads two on each axis, and one at the last, which stands for
    // the one behind it; linear memory is read once.
    let texels = ((2 * COLUMNS - 1) * (2 * ROWS - 1) + ROWS * COLUMNS) as u64;
    for (design, registers) in [
        ("baseline", 255),
        ("ltrf", 255),
        ("ltrf", 16),
        ("cerf", 255),
        ("cerf-fair", 255),
        ("osm", 255),
        ("ucm", 255),
    ] {
        let report =
            run(Case::Right, design, Engine::Cosim, registers).unwrap_or_else(|e| panic!("{design}: {e}"));
        assert!(report.ok);
        assert_eq!(report.reference_words_compared, Some(words), "{design}");
        assert_eq!(report.texels_compared, texels, "{design}");
        let alone = run(Case::Right, design, Engine::Sim, registers).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(alone.cycles, report.cycles, "{design}");
    }
}

#[test]
fn wrong_handles_and_places_name_line_and_thread() {
    let cases = [
        (Case::TextureForSurface, "is the handle of a texture; a surface is wanted"),
        (Case::Unknown, "0x0000000000001234 is not the handle of a surface"),
        (Case::WrongGeometry, "is 1d; the instruction wants 2d"),
        (Case::Trap, "4 bytes at byte 148, row 0, slice 0 are outside the surface of 148 bytes by 9 rows"),
    ];
    for (case, message) in cases {
        let error = run(case, "baseline", Engine::Cosim, 255).expect_err(message).to_string();
        assert!(error.contains(message), "{case:?}: {error}");
        assert!(error.contains("made.ptx:") && error.contains("lane "), "{case:?}: {error}");
    }
}
