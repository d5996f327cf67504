//! Grey images: portable graymaps, plain (`P2`) and raw (`P5`).

use super::tokens::Tokens;
use super::{InputError, InputFile};

/// Pixels of a side at most.
const MAX_SIDE: usize = 1 << 15;
/// Grey values of one byte a pixel.
const MAX_GREY: u32 = 255;

/// An image of one byte a pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GreyImage {
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row by row from the top; 255 is white.
    pub pixels: Vec<u8>,
}

impl GreyImage {
    /// Reads a graymap of one byte a pixel; darker scales are stretched to 255.
    ///
    /// # Errors
    /// [`InputError::Word`] in the head or a plain pixel, [`InputError::Unfit`] when raw pixels are missing
    /// or left over.
    pub fn parse(file: &InputFile) -> Result<Self, InputError> {
        let mut tokens = Tokens::new(file).with_comments(b'#');
        let magic = tokens.next();
        let raw = match magic.map(|w| w.bytes) {
            Some(b"P2") => false,
            Some(b"P5") => true,
            _ => return Err(tokens.wrong(magic, "P2 or P5, a portable graymap")),
        };
        let one_side = format!("a width or height, 1 to {MAX_SIDE}");
        let mut side = || tokens.number::<usize>(&one_side, |n| (1..=MAX_SIDE).contains(n));
        let (width, height) = (side()?, side()?);
        let whitest = format!("the largest grey value, 1 to {MAX_GREY}");
        let white = tokens.number::<u32>(&whitest, |n| (1..=MAX_GREY).contains(n))?;
        let grey = format!("a grey value, 0 to {white}");
        let stretched = |value: u32| (value * MAX_GREY / white) as u8;
        if !raw {
            let mut pixels = Vec::new();
            for _ in 0..width * height {
                pixels.push(stretched(tokens.number::<u32>(&grey, |&n| n <= white)?));
            }
            tokens.end()?;
            return Ok(Self { width, height, pixels });
        }
        let pixels = tokens.rest();
        if pixels.len() != width * height {
            return Err(file.unfit(
                format!("{} bytes of pixels, {width} x {height}", width * height),
                pixels.len().to_string(),
            ));
        }
        if let Some(pixel) = pixels.iter().position(|&p| u32::from(p) > white) {
            return Err(file.unfit(grey, format!("{} in pixel {pixel}", pixels[pixel])));
        }
        let pixels = pixels.iter().map(|&p| stretched(u32::from(p))).collect();
        Ok(Self { width, height, pixels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<GreyImage, String> {
        GreyImage::parse(&InputFile::new("i.pgm", bytes)).map_err(|e| e.to_string())
    }

    fn error(bytes: &[u8]) -> String {
        parse(bytes).expect_err("a fault")
    }

    #[test]
    fn plain_and_raw_images_are_read() {
        let image = GreyImage { width: 3, height: 2, pixels: vec![0, 255, 10, 35, 32, 9] };
        assert_eq!(parse(b"P2 # plain\n3 2\n255\n0 255 10\n35 32 9\n"), Ok(image.clone()));
        // Bytes of white space and of comments are pixels here.
        assert_eq!(parse(b"P5\n# raw\n3 2 255\n\0\xff\x0a# \x09"), Ok(image));
        let dark = parse(b"P2 2 1 15 15 5").expect("sixteen greys");
        assert_eq!(dark.pixels, [255, 85]);
    }

    #[test]
    fn faults_are_shown() {
        assert_eq!(error(b"BM"), "i.pgm:1:1: expected P2 or P5, a portable graymap, found 'BM'");
        assert_eq!(error(b"P5 0 1 255\n"), "i.pgm:1:4: expected a width or height, 1 to 32768, found '0'");
        assert_eq!(
            error(b"P5 1 1 65535\n\0\0"),
            "i.pgm:1:8: expected the largest grey value, 1 to 255, found '65535'"
        );
        assert_eq!(error(b"P2 2 1 7\n3\n8"), "i.pgm:3:1: expected a grey value, 0 to 7, found '8'");
        assert_eq!(error(b"P5 2 2 255\nabc"), "i.pgm: expected 4 bytes of pixels, 2 x 2, found 3");
        assert_eq!(
            error(b"P5 32768 32768 255"),
            "i.pgm: expected 1073741824 bytes of pixels, 32768 x 32768, found 0"
        );
        assert_eq!(error(b"P5 2 1 7\n\x07\x08"), "i.pgm: expected a grey value, 0 to 7, found 8 in pixel 1");
        assert_eq!(error(b"P2 1 1 7 3 3"), "i.pgm:1:12: expected the end of the file, found '3'");
    }
}
