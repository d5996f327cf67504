//! Operands for an opcode form.

/// A kernel with registers and variables of every kind around one instruction.
pub fn kernel(instruction: &str) -> String {
    format!(
        ".version 8.5\n.target sm_75\n.address_size 64\n\
         .const .align 16 .b8 c[64];\n.func f()\n{{\nret;\n}}\n\
         .visible .entry k(.param .u64 p, .param .align 16 .b8 q[16])\n{{\n\
         .reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<40>;\n\
         .reg .f64 %fd<9>;\n.shared .align 16 .b8 m[64];\n.local .align 16 .b8 l[64];\n\
         {instruction}\nEND: ret;\n}}\n"
    )
}

const TYPES: &[&str] = &[
    "pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "b32", "u32", "s32", "f32", "f16x2", "b64", "u64",
    "s64", "f64",
];

/// Register `n` of a type.
fn register(ty: &str, n: usize) -> String {
    let prefix = match ty {
        "pred" => "p",
        "b8" | "u8" | "s8" | "b16" | "u16" | "s16" | "f16" => "rs",
        "f32" => "f",
        "b64" | "u64" | "s64" => "rd",
        "f64" => "fd",
        _ => "r",
    };
    format!("%{prefix}{n}")
}

/// The type of twice the size.
fn wide(ty: &str) -> String {
    let (kind, bits) = ty.split_at(1);
    format!("{kind}{}", 2 * bits.parse::<u32>().expect("a size"))
}

/// `{a, b}` of `count` registers from `first` on, or one register.
fn vector(ty: &str, count: usize, first: usize) -> String {
    let list: Vec<String> = (first..first + count).map(|n| register(ty, n)).collect();
    if count == 1 { list[0].clone() } else { format!("{{{}}}", list.join(", ")) }
}

struct Form<'f> {
    full: &'f str,
    base: &'f str,
    modifiers: Vec<&'f str>,
    types: Vec<&'f str>,
}

impl Form<'_> {
    fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    fn elements(&self) -> usize {
        [("v2", 2), ("v4", 4)].iter().find(|(name, _)| self.has(name)).map_or(1, |(_, n)| *n)
    }

    /// The type of the result and the sources.
    fn ty(&self) -> &str {
        self.types.last().copied().unwrap_or("b32")
    }

    /// Registers 1 to `count` of the form's type.
    fn uniform(&self, count: usize) -> String {
        let list: Vec<String> = (1..=count).map(|n| register(self.ty(), n)).collect();
        list.join(", ")
    }

    fn address(&self) -> &'static str {
        match self.modifiers.iter().find(|m| ["param", "const", "shared", "local"].contains(m)) {
            Some(&"param") => "[q]",
            Some(&"const") => "[c]",
            Some(&"shared") => "[m]",
            Some(_) => "[l]",
            None => "[%rd8]",
        }
    }

    /// Coordinates of a texture or surface of the form's geometry.
    fn coordinates(&self, ty: &str) -> String {
        let count = match () {
            () if self.has("1d") => 1,
            () if self.has("2d") => 2,
            () => 4,
        };
        if self.has("a2d") {
            return format!("{{%r20, {}, {}, {}}}", register(ty, 21), register(ty, 22), register(ty, 23));
        }
        vector(ty, count, 20)
    }

    fn operands(&self) -> String {
        let ty = self.ty();
        match self.base {
            "abs" | "neg" | "not" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "ex2" | "lg2" | "brev"
            | "mov" => self.uniform(2),
            "popc" | "clz" | "bfind" => format!("%r1, {}", register(ty, 2)),
            "mul" | "mad" if self.has("wide") => {
                let (d, c) = (register(&wide(ty), 1), register(&wide(ty), 4));
                let product = format!("{d}, {}, {}", register(ty, 2), register(ty, 3));
                if self.base == "mul" { product } else { format!("{product}, {c}") }
            }
            "mad" | "madc" | "fma" | "prmt" => self.uniform(4),
            "shl" | "shr" => format!("{}, %r3", self.uniform(2)),
            "bfi" => format!("{}, %r4, %r5", self.uniform(3)),
            "selp" => format!("{}, %p1", self.uniform(3)),
            "setp" => format!("%p1, {}, {}", register(ty, 2), register(ty, 3)),
            "cvt" => format!("{}, {}", register(self.types[0], 1), register(self.types[1], 2)),
            "ld" => format!("{}, {}", vector(ty, self.elements(), 1), self.address()),
            "st" if self.has("param") => format!("[a], {}", register(ty, 1)),
            "st" => format!("{}, {}", self.address(), vector(ty, self.elements(), 1)),
            "atom" if self.has("cas") => {
                format!("{}, {}, {}, {}", register(ty, 1), self.address(), register(ty, 2), register(ty, 3))
            }
            "atom" => format!("{}, {}, {}", register(ty, 1), self.address(), register(ty, 2)),
            "red" => format!("{}, {}", self.address(), register(ty, 1)),
            "bar" if self.has("red") => "%p1, 0, %p2".to_owned(),
            "bar" if self.has("warp") => "-1".to_owned(),
            "bar" | "barrier" => "0".to_owned(),
            "bra" => "END".to_owned(),
            "call" => "f".to_owned(),
            "nanosleep" => "100".to_owned(),
            "activemask" => "%r1".to_owned(),
            "exit" | "ret" | "trap" | "fence" | "membar" => String::new(),
            "match" => format!("%r1, {}, -1", register(ty, 2)),
            "shfl" => "%r1|%p1, %r2, %r3, 31, -1".to_owned(),
            "vote" if self.has("ballot") => "%r1, %p1, -1".to_owned(),
            "vote" if self.has("sync") => "%p1, %p2, -1".to_owned(),
            "vote" => "%p1, %p2".to_owned(),
            "tex" => {
                let [result, coordinate] = self.types[..] else { panic!("{}: two types", self.full) };
                let level = if self.has("level") { ", %f30" } else { "" };
                format!("{}, [%rd1, {}]{level}", vector(result, 4, 1), self.coordinates(coordinate))
            }
            "suld" => format!("{}, [%rd1, {}]", vector(ty, self.elements(), 1), self.coordinates("b32")),
            "sust" => format!("[%rd1, {}], {}", self.coordinates("b32"), vector(ty, self.elements(), 1)),
            "wmma" | "vabsdiff4" => "%r1, %r2, %r3, %r4".to_owned(),
            _ => self.uniform(3),
        }
    }
}

/// One instruction of a form such as `ld.global.v4.f32`.
pub fn instruction(full: &str, base: &str) -> String {
    let modifiers: Vec<&str> = full.split('.').skip(1).collect();
    let types = modifiers.iter().copied().filter(|m| TYPES.contains(m)).collect();
    let form = Form { full, base, modifiers, types };
    let text = format!("{full} {};", form.operands());
    match base {
        "st" if form.has("param") => format!("{{ .param .align 16 .b8 a[16]; {text} }}"),
        "cvta" => format!("{full} %rd1, %rd2;"),
        _ => text,
    }
}
