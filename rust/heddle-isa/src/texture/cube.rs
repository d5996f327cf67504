//! Faces of a cube map.

/// The face that direction `[x, y, z]` points at and the coordinates on it, in 0..1 (CUDA programming
/// guide, "Cubemap Textures"). Where two components are equally large, x goes before y and y before z.
pub(super) fn face([x, y, z]: [f64; 3]) -> (u32, [f64; 2]) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, m, s, t) = if ax >= ay && ax >= az {
        if x >= 0.0 { (0, ax, -z, -y) } else { (1, ax, z, -y) }
    } else if ay >= az {
        if y >= 0.0 { (2, ay, x, z) } else { (3, ay, x, -z) }
    } else if z >= 0.0 {
        (4, az, x, -y)
    } else {
        (5, az, -x, -y)
    };
    (face, [s, t].map(|c| (c / m + 1.0) / 2.0))
}
