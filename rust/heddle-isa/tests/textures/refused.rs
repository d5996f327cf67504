//! What cannot be bound and what cannot be fetched.

use heddle_isa::Type;
use heddle_isa::texture::{
    Addressing, Binding, DescriptorError, Filter, Format, Geometry, Image, ReadMode, Request, Sampler,
    Texels, Texture, TextureError, TextureTable, plan,
};

fn image(geometry: Geometry, extent: [u32; 3]) -> Image {
    Image::dense(geometry, Format::F32, 1, extent, 0x1000_0000)
}

#[test]
fn images_that_cannot_be() {
    let d2 = image(Geometry::D2, [8, 8, 1]);
    let cases = [
        (Image { channels: 3, ..d2 }, "3 channels"),
        (Image { extent: [0, 8, 1], ..d2 }, "extent 0 is 0; expected 1 to 131072"),
        (Image { extent: [8, 8, 2], ..d2 }, "extent 2 is 2; expected 1"),
        (Image { pitch: 30, ..d2 }, "a pitch of 30 bytes; expected a multiple of 4 bytes, at least 32"),
        (Image { pitch: 34, ..d2 }, "a pitch of 34 bytes"),
        (Image { base: 8, ..d2 }, "not a multiple of 16"),
        (Image { base: 0xffff_fff0, ..d2 }, "does not fit the 32-bit address space"),
        (image(Geometry::D3, [1 << 17, 1 << 17, 1 << 17]), "does not fit"),
        (image(Geometry::Cube, [4, 4, 5]), "expected 6 faces"),
        (image(Geometry::Cube, [4, 3, 6]), "faces are square"),
        (image(Geometry::ACube, [4, 4, 9]), "a multiple of 6"),
        (image(Geometry::Linear, [1 << 29, 1, 1]), "expected 1 to 268435456"),
    ];
    for (image, message) in cases {
        let error = image.check().expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn samplers_that_cannot_be() {
    let d2 = image(Geometry::D2, [8, 8, 1]);
    let integers = Image { format: Format::U32, ..d2 };
    let plain = Sampler::default();
    let cases = [
        (integers, Sampler { filter: Filter::Linear, ..plain }, "linear filtering needs floats"),
        (integers, Sampler { read: ReadMode::NormalisedFloat, ..plain }, "8 and 16 bits"),
        (d2, Sampler { addressing: [Addressing::Wrap; 3], ..plain }, "need normalised coordinates"),
        (image(Geometry::Linear, [8, 1, 1]), Sampler { normalised: true, ..plain }, "linear memory"),
        (image(Geometry::Cube, [8, 8, 6]), plain, "a cube has normalised coordinates"),
    ];
    for (image, sampler, message) in cases {
        let error = TextureTable::default().bind(Binding::Texture(Texture { image, sampler }));
        let error = error.expect_err(message);
        assert!(matches!(error, DescriptorError::Sampler { .. }) && error.to_string().contains(message));
    }
}

#[test]
fn fetches_that_cannot_be() {
    let mut table = TextureTable::default();
    let sampler = Sampler::default();
    let d2 = image(Geometry::D2, [8, 8, 1]);
    let handle = table.bind(Binding::Texture(Texture { image: d2, sampler })).expect("a texture");
    let linear = Texture { image: image(Geometry::Linear, [8, 1, 1]), sampler };
    let linear = table.bind(Binding::Texture(linear)).expect("a texture");
    let normalised = Texture { image: d2, sampler: Sampler { normalised: true, ..sampler } };
    let normalised = table.bind(Binding::Texture(normalised)).expect("a texture");
    let surface = table.bind(Binding::Surface(d2)).expect("a surface");
    let fetch = |handle, geometry, ty, integer| {
        let request = Request { handle, geometry, ty, integer, coordinates: [0; 4] };
        plan(&table, &request, 0, &mut Texels::default()).expect_err("refused")
    };
    use TextureError::*;
    for unknown in [0, 1, 0x1000_0000, surface + 1, u64::MAX] {
        assert!(
            matches!(fetch(unknown, Geometry::D2, Type::F32, false), UnknownHandle { .. }),
            "{unknown:#x}"
        );
    }
    assert!(matches!(fetch(surface, Geometry::D2, Type::F32, false), WrongKind { .. }));
    assert!(matches!(fetch(handle, Geometry::D1, Type::F32, false), WrongGeometry { .. }));
    assert!(matches!(fetch(handle, Geometry::A2d, Type::F32, false), WrongGeometry { .. }));
    assert!(matches!(fetch(handle, Geometry::D2, Type::U32, false), WrongResult { .. }));
    assert!(matches!(fetch(linear, Geometry::D1, Type::F32, false), WrongCoordinates { .. }));
    assert!(matches!(fetch(normalised, Geometry::D2, Type::F32, true), WrongCoordinates { .. }));
}
