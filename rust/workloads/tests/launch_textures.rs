//! `[[textures]]` of launch files: what is refused and where, and what a run binds.

use std::path::Path;
use std::sync::Arc;

use heddle_isa::texture::{Addressing, Filter, Format, Geometry, HANDLE_MARK, ReadMode};
use heddle_isa::{
    ConstantBank, ConstantVariable, DeviceMemory, KernelLaunch, Param, Program, SourceFile, SymbolWrite, Type,
};
use heddle_workloads::Instance;
use heddle_workloads::launch_file::LaunchFile;

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// Six lines before the tables of a test: a buffer of 4096 bytes.
const HEAD: &str = "grid = 1\nblock = 1\n[[buffers]]\nname = 'b'\nbytes = 4096\ntype = 'u8'\n";

/// A program with one parameter of eight bytes and a texture reference `image` in constant memory.
fn program() -> Program {
    let reference = ConstantVariable { name: "image".into(), offset: 0, bytes: 8, reference: true };
    Program {
        name: "kernel".into(),
        source: Arc::new(SourceFile::new("kernel.ptx", "")),
        instrs: Vec::new(),
        blocks: Vec::new(),
        num_regs: 0,
        num_preds: 0,
        allocated: false,
        params: vec![Param { name: "p".into(), offset: 0, bytes: 8, ty: Some(Type::U64) }],
        param_bytes: 8,
        shared_bytes: 0,
        local_bytes: 0,
        constants: ConstantBank { bytes: vec![0; 8], variables: vec![reference] },
        globals: Vec::new(),
        declared: heddle_isa::Declared::default(),
    }
}

/// The launch of a file, after set-up.
fn launch(text: &str) -> Result<KernelLaunch, Box<dyn std::error::Error>> {
    let file = LaunchFile::parse("l.toml", text, Path::new(""))?;
    let mut run = file.instance(&[&program()], 1)?;
    let mut memory = DeviceMemory::new();
    run.set_up(&mut memory)?;
    Ok(run.next_launch(&mut memory)?.ok_or("one launch")?.launch)
}

/// Tables of a test behind [`HEAD`] and before the argument `argument`; the message begins as expected.
fn refused(tables: &str, argument: &str, expected: &str) {
    let text = format!("{HEAD}{tables}[[args]]\n{argument}");
    let message = launch(&text).err().map_or("accepted".to_owned(), |e| e.to_string());
    assert!(message.starts_with(expected), "{text}\n{message}");
}

/// The lines of a table from line 8 on, without those that begin with one of `without`.
fn table(without: &[&str], more: &str) -> String {
    let lines = ["name = 't'", "buffer = 'b'", "geometry = '2d'", "format = 'f32'", "extent = [16, 16]"];
    let kept = lines.into_iter().filter(|line| !without.iter().any(|w| line.starts_with(w)));
    format!("[[textures]]\n{}\n{more}\n", kept.collect::<Vec<_>>().join("\n"))
}

const TEXTURE: &str = "type = 'texture'\nvalue = 't'\n";

#[test]
fn wrong_keys_and_values_are_refused_at_the_place() {
    let cases: [(&[&str], &str, &str); 27] = [
        (&["name"], "", "l.toml:7:1: key 'name' is missing"),
        (&["buffer"], "", "l.toml:7:1: key 'buffer' is missing"),
        (&["geometry"], "", "l.toml:7:1: key 'geometry' is missing"),
        (&["format"], "", "l.toml:7:1: key 'format' is missing"),
        (&["extent"], "", "l.toml:7:1: key 'extent' is missing"),
        (&["buffer"], "buffer = 'c'", "l.toml:12:10: there is no buffer 'c'"),
        (&["buffer"], "buffer = 3", "l.toml:12:10: 'buffer' must be a string, not an integer"),
        (&["geometry"], "geometry = '4d'", "l.toml:12:12: 'geometry' cannot be '4d'"),
        (
            &["geometry"],
            "geometry = 'acubes'",
            "l.toml:12:12: 'geometry' cannot be 'acubes'; did you mean 'acube'",
        ),
        (&["format"], "format = 'f64'", "l.toml:12:10: 'format' cannot be 'f64'"),
        (&[], "chanels = 2", "l.toml:13:1: unknown key 'chanels'; did you mean 'channels'?"),
        (&[], "channels = 5", "l.toml:13:12: 'channels' is 5, expected 1 to 4"),
        (&[], "channels = 3", "l.toml:7:1: not a texture or surface: a texel has 3 channels"),
        (&["extent"], "extent = []", "l.toml:12:10: 'extent' is an array of another length"),
        (&["extent"], "extent = [16, 0]", "l.toml:12:15: 'extent' is 0, expected 1 to 131072"),
        (&["extent"], "extent = [16, 65]", "l.toml:7:1: 'extent' is an image that ends at byte 4160"),
        (
            &["extent"],
            "extent = [16, 16, 2]",
            "l.toml:7:1: not a texture or surface: 2d image: extent 2 is 2",
        ),
        (&[], "offset = 3073", "l.toml:7:1: not a texture or surface: the image begins at 0x00000c01"),
        (&[], "offset = 3088", "l.toml:7:1: 'extent' is an image that ends at byte 4112"),
        (&[], "offset = -1", "l.toml:13:10: 'offset' is -1"),
        (&[], "pitch = 60", "l.toml:7:1: not a texture or surface: a pitch of 60 bytes"),
        (&[], "kind = 'sampler'", "l.toml:13:8: 'kind' cannot be 'sampler'"),
        (&[], "filter = 'cubic'", "l.toml:13:10: 'filter' cannot be 'cubic'"),
        (&[], "normalised = 1", "l.toml:13:14: 'normalised' must be true or false, not an integer"),
        (
            &[],
            "addressing = ['clamp', 'warp']",
            "l.toml:13:24: 'addressing' cannot be 'warp'; did you mean 'wrap'",
        ),
        (
            &[],
            "addressing = 'wrap'",
            "l.toml:7:1: not a texture or surface: the addressing modes wrap and mirror",
        ),
        (
            &[],
            "reference = 'imag'",
            "l.toml:13:13: the PTX has no .texref or .surfref 'imag' at module scope; did you mean 'image'?",
        ),
    ];
    for (without, more, expected) in cases {
        refused(&table(without, more), TEXTURE, expected);
    }
    let surface = "kind = 'surface'\nfilter = 'linear'";
    refused(&table(&[], surface), TEXTURE, "l.toml:14:10: key 'filter' has no meaning here: a surface is");
    let cube = "geometry = 'cube'\nextent = [4, 4, 6]\nread = 'normalised'";
    refused(
        &table(&["geometry", "extent"], cube),
        TEXTURE,
        "l.toml:7:1: not a texture or surface: a cube has normalised coordinates",
    );
}

#[test]
fn arguments_name_textures_of_their_kind() {
    let texture = table(&[], "");
    refused(&texture, "type = 'texture'\nvalue = 's'\n", "l.toml:16:9: there is no texture 's'");
    refused(
        &texture,
        "type = 'surface'\nvalue = 't'\n",
        "l.toml:16:9: there is no surface 't'; there is none",
    );
    refused(&texture, "type = 'texture'\n", "l.toml:14:1: key 'value' is missing");
    refused(
        &texture,
        "type = 'texture'\nvalue = 1\n",
        "l.toml:16:9: 'value' must be a string, not an integer",
    );
    refused(
        &texture,
        "type = 'texture'\nvalue = 't'\nelements = 2\n",
        "l.toml:17:12: key 'elements' has no meaning here",
    );
}

#[test]
fn a_run_binds_what_the_file_says() -> TestResult {
    let sampler = "offset = 512\nchannels = 2\npitch = 160\naddressing = ['wrap', 'mirror']\nfilter = 'linear'\n\
        normalised = true\nread = 'normalised'\nformat = 'i16'\nreference = 'image'";
    let surface = "[[textures]]\nname = 's'\nkind = 'surface'\nbuffer = 'b'\ngeometry = 'a1d'\nformat = 'u8'\n\
        extent = [100, 7]\n";
    let text = format!("{HEAD}{}{surface}[[args]]\n{TEXTURE}", table(&["format"], sampler));
    let launch = launch(&text)?;
    assert_eq!(launch.params, HANDLE_MARK.to_le_bytes());
    let image = SymbolWrite { name: "image".into(), offset: 0, bytes: HANDLE_MARK.to_le_bytes().to_vec() };
    assert_eq!(launch.constants, [image]);
    let texture = launch.textures.texture(HANDLE_MARK)?;
    assert_eq!((texture.image.geometry, texture.image.format), (Geometry::D2, Format::S16));
    assert_eq!((texture.image.extent, texture.image.pitch, texture.image.channels), ([16, 16, 1], 160, 2));
    // The first buffer of a run.
    assert_eq!(texture.image.base, 0x1000_0000 + 512);
    let [x, y, _] = texture.sampler.addressing;
    assert_eq!((x, y), (Addressing::Wrap, Addressing::Mirror));
    assert_eq!((texture.sampler.filter, texture.sampler.read), (Filter::Linear, ReadMode::NormalisedFloat));
    assert!(texture.sampler.normalised);
    let surface = launch.textures.surface(HANDLE_MARK + 1)?;
    assert_eq!((surface.geometry, surface.extent), (Geometry::A1d, [100, 1, 7]));
    assert_eq!((surface.format, surface.pitch, surface.base), (Format::U8, 100, 0x1000_0000));
    Ok(())
}
