//! Arrays in NumPy's `.npy` format, versions 1.0 to 3.0 (NEP 1 and numpy.lib.format).
//!
//! A file is a magic text, a version, the length of the header, the header - a Python dictionary with the
//! keys `descr`, `fortran_order` and `shape` - and the elements. Only what the header says is believed
//! that the size of the file bears out, so a false header costs nothing.

mod header;

use header::Header;

use super::element::ElementType;

/// First bytes of every file.
const MAGIC: &[u8] = b"\x93NUMPY";
/// Longest header that is read; NumPy refuses 10,000 bytes and more of an untrusted file.
const LONGEST_HEADER: usize = 10_000;
/// The elements begin at a multiple of this in files that are written.
const ALIGNMENT: usize = 64;

/// An array: little endian, C order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// Type of the elements.
    pub element: ElementType,
    /// Elements in each dimension; none for a single value.
    pub shape: Vec<u64>,
    /// The elements.
    pub bytes: Vec<u8>,
}

/// A file that is not an array that a buffer can hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// Another format.
    #[error("not a .npy file: it does not begin with \\x93NUMPY")]
    Magic,
    /// The file ends too early.
    #[error("the file ends in its header: {found} bytes, the header needs {needed}")]
    Cut {
        /// Size of the file.
        found: usize,
        /// Size of the header and what is before it.
        needed: usize,
    },
    /// A version that does not exist.
    #[error("format version {major}.{minor}; 1.0, 2.0 and 3.0 are known")]
    Version {
        /// First number.
        major: u8,
        /// Second number.
        minor: u8,
    },
    /// The header is not the dictionary that it must be.
    #[error("header, byte {at}: expected {expected}")]
    Header {
        /// Byte of the header.
        at: usize,
        /// What had to be there.
        expected: String,
    },
    /// Elements that no buffer has.
    #[error("elements of type '{descr}'; possible are b1, i1 to i8, u1 to u8, f2, f4 and f8 of NumPy")]
    Element {
        /// `descr` of the header.
        descr: String,
    },
    /// Columns first.
    #[error("the array is in Fortran order; save it with numpy.save(file, numpy.ascontiguousarray(array))")]
    Fortran,
    /// The shape does not match the bytes that are there.
    #[error("shape ({}) of {element} needs {needed} bytes, the file has {found}", list(.shape))]
    Size {
        /// Shape of the header.
        shape: Vec<u64>,
        /// Type of the elements.
        element: ElementType,
        /// Bytes of such an array; `more than 2^64` when that many.
        needed: String,
        /// Bytes behind the header.
        found: usize,
    },
}

fn list(shape: &[u64]) -> String {
    let numbers: Vec<String> = shape.iter().map(u64::to_string).collect();
    numbers.join(", ")
}

/// Reads a whole file.
///
/// # Errors
/// [`NpyError`].
pub fn read(file: &[u8]) -> Result<Array, NpyError> {
    let rest = file.strip_prefix(MAGIC).ok_or(NpyError::Magic)?;
    let cut = |needed| NpyError::Cut { found: file.len(), needed };
    let (length, start) = match *rest {
        [1, 0, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), MAGIC.len() + 4),
        [2 | 3, 0, a, b, c, d, ..] => {
            (usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX), MAGIC.len() + 6)
        }
        [1..=3, 0, ..] | [] | [_] => return Err(cut(MAGIC.len() + 6)),
        [major, minor, ..] => return Err(NpyError::Version { major, minor }),
    };
    let end = start.saturating_add(length);
    let header = file.get(start..end).ok_or_else(|| cut(end))?;
    if header.len() > LONGEST_HEADER {
        let expected = format!("a header of at most {LONGEST_HEADER} bytes, not {}", header.len());
        return Err(NpyError::Header { at: 0, expected });
    }
    let Header { descr, fortran, shape } = header::read(header)?;
    let (element, big_endian) = element(&descr)?;
    if fortran && shape.len() > 1 {
        return Err(NpyError::Fortran);
    }
    let data = &file[end..];
    let size = u64::from(element.bytes());
    let needed = shape.iter().try_fold(size, |product, &n| product.checked_mul(n));
    if needed != Some(data.len() as u64) {
        let needed = needed.map_or_else(|| "more than 2^64".to_owned(), |n| n.to_string());
        return Err(NpyError::Size { shape, element, needed, found: data.len() });
    }
    let mut bytes = data.to_vec();
    if big_endian {
        bytes.chunks_exact_mut(element.bytes() as usize).for_each(<[u8]>::reverse);
    }
    Ok(Array { element, shape, bytes })
}

/// The head of a file of version 1.0 for elements of that type and shape, little endian, C order; nothing
/// when NumPy has no such type.
#[must_use]
pub fn head(element: ElementType, shape: &[u64]) -> Option<Vec<u8>> {
    let comma = if shape.len() == 1 { "," } else { "" };
    let (order, code) = (if element.bytes() == 1 { '|' } else { '<' }, code(element)?);
    let mut header =
        format!("{{'descr': '{order}{code}', 'fortran_order': False, 'shape': ({}{comma}), }}", list(shape));
    let before = MAGIC.len() + 4;
    let total = (before + header.len() + 1).next_multiple_of(ALIGNMENT);
    header.extend(std::iter::repeat_n(' ', total - before - header.len() - 1));
    header.push('\n');
    let mut head = MAGIC.to_vec();
    head.extend([1, 0]);
    head.extend(u16::try_from(header.len()).ok()?.to_le_bytes());
    head.extend(header.as_bytes());
    Some(head)
}

/// NumPy's letter and size of a type.
fn code(element: ElementType) -> Option<String> {
    let letter = match element {
        ElementType::U8 | ElementType::U16 | ElementType::U32 | ElementType::U64 => 'u',
        ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64 => 'i',
        ElementType::F16 | ElementType::F32 | ElementType::F64 => 'f',
        ElementType::Bf16 => return None,
    };
    Some(format!("{letter}{}", element.bytes()))
}

/// The type of `descr`, and whether the most significant byte comes first.
fn element(descr: &str) -> Result<(ElementType, bool), NpyError> {
    let unknown = || NpyError::Element { descr: descr.to_owned() };
    let (order, name) = descr.split_at_checked(1).ok_or_else(unknown)?;
    let big_endian = match order {
        "<" | "|" | "=" => false,
        ">" => true,
        _ => return Err(unknown()),
    };
    if name == "b1" {
        return Ok((ElementType::U8, false));
    }
    let known = ElementType::all().find(|e| code(*e).as_deref() == Some(name));
    known.map(|e| (e, big_endian)).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend([version, 0]);
        let length = u32::try_from(header.len()).expect("short");
        file.extend(&length.to_le_bytes()[..if version == 1 { 2 } else { 4 }]);
        file.extend(header.as_bytes());
        file.extend(data);
        file
    }

    fn message(header: &str, data: &[u8]) -> String {
        read(&file(1, header, data)).map_or_else(|e| e.to_string(), |_| "accepted".to_owned())
    }

    #[test]
    fn all_versions_and_both_byte_orders_are_read() {
        for (version, order, data) in [(1, '<', [1, 0, 2, 0]), (2, '>', [0, 1, 0, 2]), (3, '=', [1, 0, 2, 0])]
        {
            let header = format!("{{'descr': '{order}i2', 'fortran_order': False, 'shape': (2, 1), }}   \n");
            let array = read(&file(version, &header, &data)).expect("right");
            assert_eq!(
                (array.element, array.shape, array.bytes),
                (ElementType::I16, vec![2, 1], vec![1, 0, 2, 0])
            );
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for element in ElementType::all() {
            for shape in [&[][..], &[3], &[2, 5], &[0]] {
                let Some(mut written) = head(element, shape) else {
                    assert_eq!(element, ElementType::Bf16);
                    continue;
                };
                assert_eq!(written.len() % ALIGNMENT, 0);
                let count: u64 = shape.iter().product();
                let data = vec![7; (count * u64::from(element.bytes())) as usize];
                written.extend(&data);
                let array = Array { element, shape: shape.to_vec(), bytes: data };
                assert_eq!(read(&written), Ok(array));
            }
        }
    }

    #[test]
    fn wrong_files_say_what_is_wrong() {
        let head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}";
        assert_eq!(message(head, &[0; 4]), "accepted");
        for (header, part) in [
            (head, "shape (1) of f32 needs 4 bytes, the file has 3"),
            ("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}", "ascontiguousarray"),
            ("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "elements of type '<c8'"),
            (
                "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                "byte 10: expected a string",
            ),
            ("{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}", "True or False"),
            ("{'descr': '<f4', 'shape': (1,)}", "the keys 'descr', 'fortran_order' and 'shape'"),
            ("{'descr': '<f4', 'what': 1}", "the key 'descr', 'fortran_order' or 'shape'"),
            ("{'descr': '<f4", "a string that ends"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "a number below 2^64"),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1152921504606846976,)}",
                "needs 4611686018427387904",
            ),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 4)}", "more than 2^64"),
            ("{} x", "the end of the header"),
            ("", "expected '{'"),
        ] {
            let found = message(header, &[0; 3]);
            assert!(found.contains(part), "{header}: {found}");
        }
        assert!(message(&format!("{}{head}", " ".repeat(10_000)), &[0; 4]).contains("at most 10000 bytes"));
        assert_eq!(read(b"\x93NUMPX"), Err(NpyError::Magic));
        assert_eq!(read(b"\x93NUMPY\x04\x00...."), Err(NpyError::Version { major: 4, minor: 0 }));
        assert!(matches!(read(b"\x93NUMPY\x02\x00\xff\xff\xff\xff"), Err(NpyError::Cut { found: 12, .. })));
    }

    #[test]
    fn every_cut_of_a_file_is_refused() {
        let whole = file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", &[0; 8]);
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
    }
}
