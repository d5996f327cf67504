//! Buffers of global memory as messages name them.

use heddle_isa::DeviceMemory;

/// The buffer of global memory that is nearest to `address`, for messages.
pub(crate) fn global_bounds(memory: &DeviceMemory, address: u64) -> String {
    let regions = memory.regions();
    let below = regions.iter().rfind(|r| u64::from(r.start) <= address);
    below.or(regions.first()).map_or_else(
        || "there are no buffers".to_owned(),
        |r| {
            let end = u64::from(r.start) + r.data.len() as u64;
            format!("the nearest buffer '{}' is {:#x}..{end:#x}", r.name, r.start)
        },
    )
}

/// The buffer of global memory that holds `address`, and the offset in it, for messages.
pub(crate) fn global_buffer(memory: &DeviceMemory, address: u64) -> String {
    memory
        .region_at(address)
        .and_then(|index| memory.regions().get(index))
        .map_or_else(String::new, |r| format!("'{}' + {}", r.name, address - u64::from(r.start)))
}
