//! Surfaces of every geometry, element and boundary, against a model of bytes in rows.

use heddle_isa::texture::{Binding, Format, Geometry, Image};
use heddle_workloads::script::Script;

use crate::made::{HOST, Made};

const UNTOUCHED: u32 = 0xdead_beef;

/// What becomes of places outside.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Boundary {
    Clamp,
    Zero,
    Trap,
}

/// Elements of an access.
#[derive(Debug, Clone, Copy)]
struct Elements {
    count: usize,
    bytes: usize,
}

impl Elements {
    fn size(self) -> usize {
        self.count * self.bytes
    }

    fn suffix(self) -> String {
        let vector = if self.count == 1 { String::new() } else { format!(".v{}", self.count) };
        format!("{vector}.b{}", 8 * self.bytes)
    }

    /// Words that a thread loads: small elements fill up to one.
    fn words(self) -> usize {
        self.count * self.bytes.div_ceil(4)
    }

    fn registers(self) -> String {
        let name = if self.bytes == 8 { "%rd" } else { "%r" };
        let list: Vec<String> = (0..self.count).map(|n| format!("{name}{}", 4 + n)).collect();
        format!("{{{}}}", list.join(", "))
    }

    /// Loads or stores of the registers at `[%rd1]`.
    fn each(self, one: impl Fn(usize, &str, usize) -> String) -> String {
        let (name, step) = if self.bytes == 8 { ("%rd", 8) } else { ("%r", 4) };
        (0..self.count).map(|n| one(step * n, &format!("{name}{}", 4 + n), 8 * step)).collect()
    }
}

#[derive(Debug, Clone)]
struct Case {
    geometry: Geometry,
    extent: [u32; 3],
    elements: Elements,
    boundary: Boundary,
    /// Bytes behind each row.
    padding: u32,
}

impl Case {
    fn image(&self) -> Image {
        let mut image = Image::dense(self.geometry, Format::U32, 1, self.extent, 0);
        image.pitch += self.padding;
        image
    }

    /// Places around and in the surface: byte, row, slice.
    fn places(&self) -> Vec<[i32; 3]> {
        let size = self.elements.size() as i32;
        let row = 4 * self.extent[0] as i32;
        let mut columns = vec![0, size, row - size];
        let [mut rows, mut slices] = [1, 2].map(|i| (0..self.extent[i] as i32).collect::<Vec<_>>());
        if self.boundary != Boundary::Trap {
            columns.extend([-size, row, 1 << 20, -(1 << 20)]);
            if self.geometry.axes() >= 2 {
                rows.extend([-1, self.extent[1] as i32, i32::MIN]);
            }
            if self.geometry.axes() == 3 || self.geometry.is_layered() {
                slices.extend([-7, self.extent[2] as i32, i32::MAX]);
            }
        }
        let mut places = Vec::new();
        for &z in &slices {
            for &y in &rows {
                places.extend(columns.iter().map(|&x| [x, y, z]));
            }
        }
        places
    }

    /// A place in the order of the instruction's coordinates.
    fn coordinates(&self, [x, y, z]: [i32; 3]) -> [i32; 4] {
        match self.geometry {
            Geometry::A1d => [z, x, 0, 0],
            Geometry::A2d => [z, x, y, 0],
            _ => [x, y, z, 0],
        }
    }

    fn coordinate_registers(&self) -> &'static str {
        match self.geometry {
            Geometry::D1 => "%r0",
            Geometry::D2 | Geometry::A1d => "%r0, %r1",
            _ => "%r0, %r1, %r2, %r3",
        }
    }

    /// Byte of the buffer that an access begins at.
    fn byte(&self, place: [i32; 3]) -> Option<usize> {
        let last = [4 * self.extent[0] as i32 - self.elements.size() as i32, 0, 0];
        let last = [last[0], self.extent[1] as i32 - 1, self.extent[2] as i32 - 1];
        let mut inside = true;
        let [x, y, z] = [0, 1, 2].map(|i| {
            let c = place[i].clamp(0, last[i]);
            inside &= c == place[i];
            c as usize
        });
        let row = z * self.extent[1] as usize + y;
        (inside || self.boundary == Boundary::Clamp).then(|| row * self.image().pitch as usize + x)
    }

    fn ptx(&self) -> String {
        let (boundary, elements) = (format!("{:?}", self.boundary).to_lowercase(), self.elements);
        let (name, suffix) = (self.geometry.name(), elements.suffix());
        let (coordinates, registers) = (self.coordinate_registers(), elements.registers());
        let head = |entry: &str| {
            format!(
                ".visible .entry {entry}(.param .u64 places, .param .u64 data, .param .u64 surface)\n{{\n\
                 .reg .b32 %r<8>, %t;\n.reg .b64 %rd<8>;\nmov.u32 %t, %tid.x;\nmul.wide.u32 %rd1, %t, 16;\n\
                 ld.param.u64 %rd2, [places];\nadd.s64 %rd2, %rd2, %rd1;\n\
                 ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%rd2];\nld.param.u64 %rd3, [surface];\n\
                 ld.param.u64 %rd2, [data];\nadd.s64 %rd1, %rd2, %rd1;\n"
            )
        };
        let store = |at, register: &str, bits| format!("st.global.b{bits} [%rd1+{at}], {register};\n");
        let load = |at, register: &str, bits| format!("ld.global.b{bits} {register}, [%rd1+{at}];\n");
        format!(
            ".version 8.6\n.target sm_90\n.address_size 64\n\
             {}suld.b.{name}{suffix}.{boundary} {registers}, [%rd3, {{{coordinates}}}];\n{}ret;\n}}\n\
             {}{}sust.b.{name}{suffix}.{boundary} [%rd3, {{{coordinates}}}], {registers};\nret;\n}}\n",
            head("get"),
            elements.each(store),
            head("put"),
            elements.each(load)
        )
    }

    fn passes(self) {
        let places = self.places();
        assert!(places.len() <= 1024, "{self:?}");
        let image = self.image();
        let mut bytes: Vec<u8> =
            (0..image.bytes().next_multiple_of(4)).map(|i| (i * 37 % 251) as u8).collect();
        let before = bytes.clone();
        // What each thread loads, and then stores: a function of where it stores.
        let mut loaded = vec![UNTOUCHED; 4 * places.len()];
        let mut stored = vec![0_u32; 4 * places.len()];
        for (thread, &place) in places.iter().enumerate() {
            let at = self.byte(place);
            for n in 0..self.elements.count {
                let element = |bytes: &[u8]| {
                    let mut wide = [0; 8];
                    wide[..bytes.len()].copy_from_slice(bytes);
                    u64::from_le_bytes(wide)
                };
                let width = self.elements.bytes;
                let from = at.map(|at| at + n * width);
                let old = from.map_or(0, |from| element(&before[from..from + width]));
                let new = from.map_or(0x5555, |from| 0x0123_4567_89ab_cdef ^ (from as u64) << 3);
                if let Some(from) = from {
                    bytes[from..from + width].copy_from_slice(&new.to_le_bytes()[..width]);
                }
                let words = self.elements.words() / self.elements.count;
                for w in 0..words {
                    loaded[4 * thread + n * words + w] = (old >> (32 * w)) as u32;
                    stored[4 * thread + n * words + w] = (new >> (32 * w)) as u32;
                }
            }
        }
        let words = |bytes: &[u8]| -> Vec<u32> {
            bytes.as_chunks::<4>().0.iter().map(|&w| u32::from_le_bytes(w)).collect()
        };
        let (first, last) = (words(&before), words(&bytes));
        let compared = loaded.len() + last.len();
        let coordinates: Vec<i32> = places.iter().flat_map(|&p| self.coordinates(p)).collect();
        let ptx = self.ptx();
        let script = move || {
            let mut s = Script::new(HOST);
            let threads = [places.len(), 1, 1];
            let places = s.input("places", &coordinates);
            let out = s.input("out", &vec![UNTOUCHED; loaded.len()]);
            let values = s.input("values", &stored);
            let texels = s.input("texels", &first);
            let surface = s.texture(texels, Binding::Surface(image));
            s.launch("get", [1, 1, 1], threads).pointer(places).pointer(out).handle(surface);
            s.launch("put", [1, 1, 1], threads).pointer(places).pointer(values).handle(surface);
            let (loaded, last) = (loaded.clone(), last.clone());
            s.judge(move |r| {
                r.exact(out, &loaded)?;
                r.exact(texels, &last)
            });
            s
        };
        Made::new(ptx, script).passes(compared);
    }
}

const EXTENTS: [(Geometry, [u32; 3]); 5] = [
    (Geometry::D1, [12, 1, 1]),
    (Geometry::D2, [8, 3, 1]),
    (Geometry::D3, [8, 3, 2]),
    (Geometry::A1d, [8, 1, 3]),
    (Geometry::A2d, [8, 2, 3]),
];

fn every_geometry(boundary: Boundary, elements: &[(usize, usize)]) {
    let mut sizes = elements.iter().cycle();
    for (geometry, extent) in EXTENTS {
        for &(count, bytes) in sizes.by_ref().take(elements.len().min(2)) {
            let elements = Elements { count, bytes };
            let padding = if geometry.axes() > 1 { 16 } else { 0 };
            Case { geometry, extent, elements, boundary, padding }.passes();
        }
    }
}

#[test]
fn clamp_goes_to_the_nearest_place() {
    every_geometry(Boundary::Clamp, &[(1, 4), (4, 4), (1, 1), (2, 8), (2, 2)]);
}

#[test]
fn zero_loads_zeros_and_drops_stores() {
    every_geometry(Boundary::Zero, &[(1, 2), (2, 4), (4, 1), (1, 8), (4, 2)]);
}

#[test]
fn trap_leaves_places_inside_alone() {
    every_geometry(Boundary::Trap, &[(1, 4), (2, 1), (1, 8)]);
}

/// A wrong place with `.trap`, one for each axis that an instruction has.
#[test]
fn trap_ends_the_run_and_names_the_place() {
    let cases = [
        (Geometry::D1, [48, 0, 0], "4 bytes at byte 48, row 0, slice 0 are outside the surface of 48 bytes"),
        (Geometry::D3, [0, 3, 1], "at byte 0, row 3, slice 1 are outside"),
        (Geometry::D3, [0, 2, -1], "at byte 0, row 2, slice -1 are outside"),
        (Geometry::A1d, [4, 0, 3], "at byte 4, row 0, slice 3 are outside"),
        (Geometry::A2d, [-4, 1, 2], "at byte -4, row 1, slice 2 are outside"),
    ];
    for (geometry, place, message) in cases {
        let extent = EXTENTS.iter().find(|e| e.0 == geometry).map_or([1; 3], |e| e.1);
        let elements = Elements { count: 1, bytes: 4 };
        let case = Case { geometry, extent, elements, boundary: Boundary::Trap, padding: 0 };
        let coordinates = case.coordinates(place);
        for entry in ["get", "put"] {
            let image = case.image();
            let script = move || {
                let mut s = Script::new(HOST);
                let places = s.input("places", &coordinates);
                let data = s.input("data", &[0_u32; 4]);
                let texels = s.input("texels", &vec![0_u32; image.bytes() as usize / 4]);
                let surface = s.texture(texels, Binding::Surface(image));
                s.launch(entry, [1, 1, 1], [1, 1, 1]).pointer(places).pointer(data).handle(surface);
                s
            };
            Made::new(case.ptx(), script).fails(&[message, "lane 0"]);
        }
    }
}
