//! The launch that a template proposes: grid, block, and what follows from them for counts, buffers and images.

use heddle_isa::Declared;

#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    /// Threads of the grid in x; the value of counts.
    pub(super) width: u32,
    /// Elements of buffers: one for each thread, and for each place in rows and layers of `width`.
    pub(super) elements: u32,
    /// Texels of images on up to three axes.
    pub(super) image: [u32; 3],
}

/// Of kernels with one, two and three dimensions.
const SHAPES: [Shape; 3] = [
    Shape { grid: [4, 1, 1], block: [256, 1, 1], width: 1024, elements: 1024, image: [1024, 16, 8] },
    Shape { grid: [2, 2, 1], block: [16, 16, 1], width: 32, elements: 1024, image: [32, 32, 8] },
    Shape { grid: [2, 2, 2], block: [8, 8, 4], width: 16, elements: 2048, image: [16, 16, 8] },
];

/// Blocks on an axis at most, where the kernel declares their dimensions.
const MOST_BLOCKS: u32 = 8;

impl Shape {
    /// For a kernel of 1 to 3 dimensions that declares `declared`.
    pub(super) fn of(dimensions: usize, declared: &Declared) -> Self {
        let usual = SHAPES[dimensions - 1];
        if declared.expected_block(usual.block).is_none() {
            return usual;
        }
        let most = declared.threads.map_or(1, |threads| u32::try_from(threads).unwrap_or(u32::MAX));
        usual.with_block(declared.block.unwrap_or([most, 1, 1]), dimensions)
    }

    /// With blocks of other dimensions, and as many threads on each axis as there are without, or [`MOST_BLOCKS`].
    fn with_block(self, block: [u32; 3], dimensions: usize) -> Self {
        let axis = |i: usize| (self.grid[i] * self.block[i]).div_ceil(block[i].max(1)).min(MOST_BLOCKS);
        let grid = [axis(0), axis(1), axis(2)];
        let [x, y, z] = [0, 1, 2].map(|i| grid[i].saturating_mul(block[i]));
        // A kernel of two dimensions may take its width for its height too.
        let rows = if dimensions > 1 { y.max(x) } else { y };
        let row = x.saturating_mul(z.saturating_sub(1)).saturating_add(rows);
        let elements = row.saturating_mul(x).max(x.saturating_mul(y).saturating_mul(z));
        let image = [0, 1, 2].map(|i| self.image[i].max([x, y, z][i]));
        Self { grid, block, width: x, elements: elements.max(self.elements), image }
    }
}
