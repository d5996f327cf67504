//! What must hold at the end of a launch: memories equal, nothing outstanding, something compared.

use heddle_isa::DeviceMemory;
use heddle_workloads::CheckFailure;

use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};
use crate::spec::Kernel;

/// The buffer, by its number, and the byte in it of the first word in which two memories differ.
fn first_difference(expected: &DeviceMemory, actual: &DeviceMemory) -> Option<(usize, usize)> {
    let buffers = expected.regions().iter().zip(actual.regions()).enumerate();
    let mut differing = buffers.filter(|(_, (e, a))| e.start != a.start || e.data != a.data);
    let (number, (e, a)) = differing.next()?;
    Some((number, e.data.iter().zip(&a.data).position(|(x, y)| x != y).unwrap_or(0) / 4 * 4))
}

/// The address of the first word in which two memories differ.
#[must_use]
pub fn first_wrong_word(expected: &DeviceMemory, actual: &DeviceMemory) -> Option<u64> {
    let (number, at) = first_difference(expected, actual)?;
    Some(u64::from(expected.regions()[number].start) + at as u64)
}

/// Compares two memories byte by byte and returns the 32-bit words compared.
///
/// # Errors
/// The first word that differs, with the buffer's name.
pub fn same_memory(
    expected: &DeviceMemory,
    actual: &DeviceMemory,
    check: Check,
    sides: [&str; 2],
    place: Place,
) -> Result<u64, Box<Mismatch>> {
    let buffers = expected.regions().len();
    if buffers != actual.regions().len() {
        let mismatch = Mismatch::new(check, place, "the machines have other buffers");
        let found = actual.regions().len().to_string();
        return Err(Box::new(mismatch.side("buffers", buffers.to_string(), found)));
    }
    if let Some((number, at)) = first_difference(expected, actual) {
        let (e, a) = (&expected.regions()[number], &actual.regions()[number]);
        let wrong = e.data.chunks(4).zip(a.data.chunks(4)).filter(|(x, y)| x != y).count();
        let word = |data: &[u8]| {
            let bytes: Vec<String> = data.iter().skip(at).take(4).rev().map(|b| format!("{b:02x}")).collect();
            format!("0x{}", bytes.concat())
        };
        let what = format!(
            "{wrong} words of buffer '{}' differ between {} and {}; the first is at byte {at}",
            e.name, sides[0], sides[1]
        );
        let place = Place { signal: Some(format!("{}[{at}]", e.name)), ..place };
        let address = format!("address {:#010x}", u64::from(e.start) + at as u64);
        return Err(Box::new(Mismatch::new(check, place, what).side(address, word(&e.data), word(&a.data))));
    }
    Ok(expected.regions().iter().map(|buffer| (buffer.data.len() as u64).div_ceil(4)).sum())
}

/// A result that is not as the workload's reference, or as the user's launch file expects. The machines
/// agree with each other by then, so the second is a kernel that does not do what its user wants.
pub(crate) fn result_failure(kernel: &Kernel, failure: &CheckFailure, place: Place) -> RunError {
    match kernel {
        Kernel::File { .. } => RunError::Unexpected { message: failure.to_string() },
        Kernel::Workload { .. } | Kernel::Input { .. } | Kernel::Made(_) | Kernel::Trace(_) => {
            Mismatch::new(Check::Reference, place, failure.to_string()).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: &[u8]) -> DeviceMemory {
        let mut memory = DeviceMemory::new();
        let length = u32::try_from(bytes.len()).expect("short");
        let address = memory.allocate("out", length).expect("fits");
        memory.write_bytes(address, bytes).expect("inside");
        memory
    }

    fn compare(a: &[u8], b: &[u8]) -> Result<u64, Box<Mismatch>> {
        let sides = ["golden memory", "the machine under test"];
        same_memory(&memory(a), &memory(b), Check::FinalMemory, sides, Place::default())
    }

    #[test]
    fn equal_memories_are_counted() {
        assert_eq!(compare(&[1; 10], &[1; 10]), Ok(3));
    }

    #[test]
    fn the_first_wrong_word_is_named() {
        let text = compare(&[0; 12], &[0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 9]).expect_err("differ").to_string();
        assert!(text.contains("'out'") && text.contains("2 words") && text.contains("byte 4"), "{text}");
        assert!(text.contains("0x00000700"), "{text}");
        let (a, b) = (memory(&[0; 12]), memory(&[0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 9]));
        assert_eq!(first_wrong_word(&a, &b), Some(u64::from(a.regions()[0].start) + 4));
        assert_eq!(first_wrong_word(&a, &a), None);
    }
}
