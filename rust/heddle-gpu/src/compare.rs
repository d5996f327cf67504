//! Memories byte by byte.

use heddle_isa::DeviceMemory;

use crate::error::GpuError;

/// Bytes compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Bytes {
    pub compared: u64,
    /// Left out, because they depend on the order of the blocks.
    pub by_order: u64,
}

/// Compares what the kernels wrote. `other_order` is what the golden machine leaves when it runs the blocks
/// the other way round: where it differs from `golden`, the order decides, and a GPU has none.
pub(crate) fn compare(
    golden: &DeviceMemory,
    other_order: &DeviceMemory,
    gpu: &DeviceMemory,
) -> Result<Bytes, GpuError> {
    let mut bytes = Bytes::default();
    let mut first = None;
    let mut wrong = 0;
    for ((region, other), ours) in golden.regions().iter().zip(other_order.regions()).zip(gpu.regions()) {
        for (offset, ((&expected, &other), &actual)) in
            region.data.iter().zip(&other.data).zip(&ours.data).enumerate()
        {
            if !region.is_written(offset) {
                continue;
            }
            if expected != other {
                bytes.by_order += 1;
                continue;
            }
            bytes.compared += 1;
            if expected != actual {
                wrong += 1;
                first.get_or_insert((&region.name, offset, actual, expected));
            }
        }
    }
    match first {
        None => Ok(bytes),
        Some((buffer, offset, gpu, golden)) => Err(GpuError::Differs {
            buffer: buffer.clone(),
            offset,
            gpu,
            golden,
            wrong,
            compared: bytes.compared,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: &[u8]) -> DeviceMemory {
        let mut memory = DeviceMemory::new();
        let address = memory.allocate("b", 4).expect("room");
        memory.write_bytes(address, bytes).expect("inside");
        memory
    }

    #[test]
    fn written_bytes_are_compared_where_the_order_does_not_decide() {
        let (golden, other) = (memory(&[1, 2, 3]), memory(&[1, 9, 3]));
        let agreed = Bytes { compared: 2, by_order: 1 };
        assert_eq!(compare(&golden, &other, &memory(&[1, 7, 3, 5])).ok(), Some(agreed));
        let error = compare(&golden, &other, &memory(&[1, 2, 4])).expect_err("a difference").to_string();
        assert_eq!(
            error,
            "1 of 2 bytes differ between GPU and golden machine; first: byte 2 of 'b' is 0x04 on the GPU, \
             0x03 on the golden machine"
        );
    }
}
