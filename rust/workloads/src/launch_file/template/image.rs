//! What a template proposes for textures and surfaces.

use std::fmt::Write as _;

use heddle_isa::texture::{Geometry, MAX_EXTENT};
use heddle_isa::{Instr, Loc, Op, Operand, Program, Space};
use heddle_port::Reg;

use super::infer::{accessed, register};
use super::shape::Shape;
use crate::launch_file::ElementType;

/// Layers of a layered image.
const LAYERS: u32 = 4;
/// Texels of the edge of a cube at most; its coordinates count none.
const MAX_EDGE: u32 = 32;
/// Faces of a cube.
const FACES: u32 = 6;

/// The image that accesses through a handle ask for.
#[derive(Debug, Clone)]
pub(super) struct ImageUse {
    surface: bool,
    geometry: Geometry,
    /// Type of a channel.
    element: ElementType,
    /// Channels of a texel.
    channels: u32,
    loads: bool,
    stores: bool,
    /// The first access.
    at: Loc,
}

impl ImageUse {
    /// What an instruction says about the image of its handle, if it has one.
    pub(super) fn of(program: &Program, instr: &Instr) -> Option<Self> {
        match instr.op {
            Op::Tex { geometry, ty, integer } => {
                let used =
                    |r: &Reg| program.instrs.iter().any(|i| i.srcs.iter().any(|s| register(s) == Some(*r)));
                let last = instr.dsts.iter().rposition(used).unwrap_or(0);
                // `tex1Dfetch` reads linear memory.
                let linear = geometry == Geometry::D1 && integer;
                Some(Self {
                    surface: false,
                    geometry: if linear { Geometry::Linear } else { geometry },
                    element: super::infer::element(ty),
                    channels: if last < 2 { last as u32 + 1 } else { 4 },
                    loads: true,
                    stores: false,
                    at: instr.loc,
                })
            }
            Op::SurfaceAddress { geometry, .. } => {
                let address = *instr.dsts.first()?;
                let access = program.instrs.iter().find(|i| {
                    i.srcs.first().and_then(register) == Some(address)
                        && matches!(
                            i.op,
                            Op::Ld { space: Space::Global, .. } | Op::St { space: Space::Global, .. }
                        )
                })?;
                let (ty, vector, loads) = match access.op {
                    Op::Ld { ty, vector, .. } => (ty, vector, true),
                    Op::St { ty, vector, .. } => (ty, vector, false),
                    _ => return None,
                };
                let (element, words) = match accessed(program, access, ty) {
                    ElementType::U64 | ElementType::I64 | ElementType::F64 => (ElementType::U32, 2),
                    ElementType::Bf16 => (ElementType::U16, 1),
                    element => (element, 1),
                };
                let channels = u32::from(vector) * words;
                let at = instr.loc;
                Some(Self { surface: true, geometry, element, channels, loads, stores: !loads, at })
            }
            _ => None,
        }
    }

    /// Adds what another access through the same handle says.
    pub(super) fn join(&mut self, other: &Self) {
        self.channels = self.channels.max(other.channels);
        self.loads |= other.loads;
        self.stores |= other.stores;
    }

    /// The word of an argument's `type`.
    pub(super) fn kind(&self) -> &'static str {
        if self.surface { "surface" } else { "texture" }
    }

    /// The tables of the image called `name` and of the buffer with its texels. `shape` is the
    /// launch proposed, `reference` the module's reference that names it, `place` writes where the first access is.
    pub(super) fn tables(
        &self,
        name: &str,
        shape: &Shape,
        reference: Option<&str>,
        place: impl Fn(Loc) -> String,
    ) -> String {
        let extent = self.extent(shape);
        let texels = extent.iter().product::<u32>() * self.channels;
        let Self { geometry, element, channels, .. } = self;
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let buffer = quoted(&format!("{name}_texels"));
        let mut text = format!("\n[[buffers]]\nname = {buffer}\ntype = \"{element}\"\nelements = {texels}\n");
        // Writing to a String cannot fail.
        if self.loads {
            let _ = writeln!(text, "fill = \"{}\"", if element.is_float() { "random" } else { "zero" });
        }
        if self.stores {
            let _ = writeln!(text, "# output = \"{name}.npy\"");
        }
        let place = place(self.at);
        let _ = write!(
            text,
            "\n[[textures]]\nname = {}\nkind = \"{}\"       # first accessed in {place}\nbuffer = {buffer}\n\
             geometry = \"{}\"\nextent = {extent:?}\nformat = \"{element}\"\nchannels = {channels}\n",
            quoted(name),
            self.kind(),
            geometry.name(),
        );
        if let Some(reference) = reference {
            let _ = writeln!(text, "reference = {}", quoted(reference));
        }
        if !self.surface {
            if geometry.is_cube() {
                text.push_str("normalised = true      # as a cube's coordinates must be\n");
            }
            text.push_str(
                "filter = \"point\"       # or linear; and addressing, normalised, read: docs/textures.md\n",
            );
        }
        text
    }

    /// Texels on the axes that the image has, in the order of `extent`.
    fn extent(&self, shape: &Shape) -> Vec<u32> {
        let [x, y, z] = shape.image;
        let edge = y.min(MAX_EDGE);
        match self.geometry {
            Geometry::Linear => vec![shape.elements],
            Geometry::D1 => vec![shape.elements.min(MAX_EXTENT)],
            Geometry::D2 => vec![x, y],
            Geometry::D3 => vec![x, y, z],
            Geometry::A1d => vec![x, LAYERS],
            Geometry::A2d => vec![x, y, LAYERS],
            Geometry::Cube => vec![edge, edge, FACES],
            Geometry::ACube => vec![edge, edge, FACES * LAYERS],
        }
    }
}

/// The constant from which a handle was loaded: that of a texture or surface reference.
pub(super) fn reference<'p>(program: &'p Program, handle: &Operand) -> Option<&'p str> {
    let register = register(handle)?;
    let load = program.instrs.iter().find(|i| i.dsts.contains(&register))?;
    let (Op::Ld { space: Space::Const, .. }, [Operand::Imm(offset)]) = (&load.op, &load.srcs[..]) else {
        return None;
    };
    let mut variables = program.constants.variables.iter();
    variables.find(|v| u64::from(v.offset) == *offset).map(|v| v.name.as_str())
}
