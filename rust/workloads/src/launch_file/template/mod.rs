//! A launch file to begin with.

mod image;
mod infer;
mod shape;

use std::fmt::Write as _;

use heddle_isa::{Loc, Param, Program};

use super::ElementType;
use image::ImageUse;
use infer::{Facts, Pointee};
use shape::Shape;

/// Proposed dynamic shared memory of a kernel that declares some.
const DYNAMIC_SHARED_BYTES: u32 = 4096;

/// A launch file for `program` (as parsed) that a user can fill in: one `[[args]]` table for each
/// parameter, in order. Which parameters are addresses, and of what, follows from the loads and stores
/// of the kernel, which are textures or surfaces, and of what shape, from its accesses to those; comments
/// give the reason.
#[must_use]
pub fn launch_template(program: &Program) -> String {
    let facts = Facts::of(program);
    let shape = &Shape::of(facts.dimensions, &program.declared);
    let dynamic = program.source.text.contains(".extern .shared");
    let (shared, reason) = match dynamic {
        true => (DYNAMIC_SHARED_BYTES, "  # the PTX declares .extern .shared"),
        false => (0, ""),
    };
    let mut text = format!(
        "# Launch of '{}' from {}. Sizes and values are proposals.\n\
         entry = {}\n\
         grid = {:?}\n\
         block = {:?}\n\
         dynamic_shared_bytes = {shared}{reason}\n",
        program.name,
        program.source.name.replace(char::is_control, " "),
        toml::Value::from(program.name.as_str()),
        shape.grid,
        shape.block,
    );
    let mut args = String::new();
    let mut writer = Writer { program, facts: &facts, shape, buffers: &mut text };
    for param in &program.params {
        args.push_str(&writer.arg(param));
    }
    for (name, image) in &facts.references {
        writer.image_tables(image, &file_name(name), Some(name));
    }
    text + &args
}

struct Writer<'a> {
    program: &'a Program,
    facts: &'a Facts,
    shape: &'a Shape,
    /// Where named buffers, textures and surfaces go.
    buffers: &'a mut String,
}

impl Writer<'_> {
    fn arg(&mut self, param: &Param) -> String {
        let name = toml::Value::from(param.name.as_str());
        let head = format!("\n[[args]]\nname = {name}\n");
        let declared = Declared::of(self.program, param);
        let inside = |byte: &u32| (param.offset..param.offset.saturating_add(param.bytes)).contains(byte);
        let body = if let Some(pointee) = self.pointee(param.offset).filter(|_| param.bytes == 8) {
            self.buffer(pointee, &file_name(&param.name), &declared)
        } else if let Some(image) = self.image(param.offset).filter(|_| param.bytes == 8) {
            let image_name = file_name(&param.name);
            self.image_tables(&image, &image_name, None);
            format!("type = \"{}\"\nvalue = \"{image_name}\"\n", image.kind())
        } else if declared.pointer {
            format!(
                "type = \"u8\"            # declared as .ptr, never accessed{}\nelements = 1\n",
                declared.align
            )
        } else if param.ty.is_none() || !matches!(param.bytes, 1 | 2 | 4 | 8) {
            let known = self.facts.pointees.keys().chain(self.facts.images.keys());
            if { known }.any(inside) { self.fields(param) } else { aggregate(param.bytes) }
        } else {
            self.scalar(param)
        };
        head + &body
    }

    fn pointee(&self, byte: u32) -> Option<Pointee> {
        self.facts.pointees.get(&byte).cloned()
    }

    fn image(&self, byte: u32) -> Option<ImageUse> {
        self.facts.images.get(&byte).cloned()
    }

    fn image_tables(&mut self, image: &ImageUse, name: &str, reference: Option<&str>) {
        let text = image.tables(name, self.shape, reference, |at| self.place(at));
        self.buffers.push_str(&text);
    }

    fn place(&self, at: Loc) -> String {
        let file =
            self.program.source.name.rsplit('/').next().unwrap_or_default().replace(char::is_control, " ");
        format!("{file}:{at}")
    }

    fn buffer(&self, pointee: Pointee, file: &str, declared: &Declared) -> String {
        let Pointee { element, loads, stores, at } = pointee;
        let what = match (loads, stores) {
            (true, true) => "loaded and stored",
            (true, false) => "loaded",
            _ => "stored",
        };
        let mut text = format!(
            "type = {:15} # {what} through this address, first in {}{}\nelements = {}\n",
            format!("\"{element}\""),
            self.place(at),
            declared.align,
            self.shape.elements,
        );
        if loads {
            let fill = if element.is_float() { "\"random\"" } else { "\"zero\"" };
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "fill = {fill:15} # none, zero, constant, iota, linspace, random, permutation, file"
            );
        }
        if stores {
            let ending = if element == ElementType::Bf16 { "bin" } else { "npy" };
            let _ = writeln!(text, "# output = \"{file}.{ending}\"");
        }
        text
    }

    /// The type as which the kernel loads it says more than the declared one, where it fits that.
    fn scalar(&self, param: &Param) -> String {
        let loaded = self.facts.loaded.get(&param.offset).copied().filter(|t| t.bytes() == param.bytes);
        let loaded = loaded.map(infer::element).filter(|e| param.ty.is_none_or(|ty| e.fits(ty)));
        let element = loaded.or(param.ty.map(infer::element)).unwrap_or(ElementType::U8);
        let value = match (element.is_float(), element.bytes()) {
            (true, _) => "1.0".to_owned(),
            (false, 4 | 8) => self.shape.width.to_string(),
            (false, _) => "1".to_owned(),
        };
        format!("type = \"{element}\"\nvalue = {value}\n")
    }

    /// An aggregate with addresses in it, whose buffers become named ones.
    fn fields(&mut self, param: &Param) -> String {
        let mut fields = String::new();
        let mut next = param.offset;
        let end = param.offset.saturating_add(param.bytes);
        let mut put = |kind: &str, value: &str| {
            let _ = writeln!(fields, "    {{ type = \"{kind}\", value = {value} }},");
        };
        let bytes = |n: u32| format!("[{}]", vec!["0"; n as usize].join(", "));
        for (&byte, ty) in self.facts.loaded.range(param.offset..end) {
            let size = ty.bytes();
            if byte < next || !matches!(size, 1 | 2 | 4 | 8) || byte.saturating_add(size) > end {
                continue;
            }
            if byte > next {
                put("u8", &bytes(byte - next));
            }
            next = byte + size;
            let name = format!("{}_{}", file_name(&param.name), byte - param.offset);
            match (self.pointee(byte), self.image(byte)) {
                (Some(pointee), _) => {
                    let body = self.buffer(pointee, &name, &Declared::default());
                    let _ = write!(self.buffers, "\n[[buffers]]\nname = \"{name}\"\n{body}");
                    put("ptr", &format!("\"{name}\""));
                }
                (None, Some(image)) => {
                    self.image_tables(&image, &name, None);
                    put(image.kind(), &format!("\"{name}\""));
                }
                (None, None) => {
                    let element = infer::element(*ty);
                    let value = if size >= 4 { self.shape.width } else { 1 };
                    let value = if element.is_float() { "1.0".to_owned() } else { value.to_string() };
                    put(&element.to_string(), &value);
                }
            }
        }
        if next < end {
            put("u8", &bytes(end - next));
        }
        format!("# An aggregate of {} bytes, as the kernel loads it.\nfields = [\n{fields}]\n", param.bytes)
    }
}

fn aggregate(bytes: u32) -> String {
    let (element, count) = if bytes.is_multiple_of(4) { ("u32", bytes / 4) } else { ("u8", bytes) };
    let zeros = vec!["0"; count as usize].join(", ");
    format!("type = \"{element}\"           # an aggregate of {bytes} bytes\nvalue = [{zeros}]\n")
}

/// A parameter's name without what a file or a buffer may not be called.
fn file_name(name: &str) -> String {
    name.replace(|c: char| !c.is_alphanumeric() && c != '_', "_")
}

/// What the declaration `.param .TYPE .ptr .SPACE .align N name[K]` says.
#[derive(Debug, Default)]
struct Declared {
    pointer: bool,
    /// `, aligned to N` when it says so of what an address points at.
    align: String,
}

impl Declared {
    fn of(program: &Program, param: &Param) -> Self {
        let separators = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';');
        let words: Vec<&str> = program.source.text.split(separators).filter(|w| !w.is_empty()).collect();
        let named = |w: &str| {
            let rest = w.strip_prefix(param.name.as_str());
            rest.is_some_and(|r| r.is_empty() || r.starts_with('['))
        };
        // The name may also stand in a comment, where no declaration is before it.
        let found = words.iter().enumerate().filter(|(_, w)| named(w)).find_map(|(at, _)| {
            let begin = words[..at].iter().rposition(|w| *w == ".param")?;
            let plain = |w: &&str| w.starts_with('.') || w.parse::<u32>().is_ok();
            let between = &words[begin + 1..at];
            between.iter().all(plain).then_some(between)
        });
        let Some(words) = found else { return Self::default() };
        let ptr = words.iter().position(|w| *w == ".ptr");
        let align = ptr.and_then(|p| words.iter().skip(p).skip_while(|w| **w != ".align").nth(1));
        Self {
            pointer: ptr.is_some(),
            align: align.map_or_else(String::new, |n| format!(", aligned to {n}")),
        }
    }
}
