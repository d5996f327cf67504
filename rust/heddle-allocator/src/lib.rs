//! The allocator of the programs that simulate: a program has it that names this crate.
//!
//! Runs of many SMs take less time with jemalloc than with the allocator of the C library, and still less in pages of 2 MiB, which it
//! asks the system for (docs/gpu.md has the figures); where there are none, runs are slower and otherwise the same.

use tikv_jemallocator::Jemalloc;

#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// What jemalloc reads when the program starts, ended by a zero byte.
// SAFETY: it is what jemalloc's `malloc_conf` is, a pointer to text.
#[unsafe(export_name = "_rjem_malloc_conf")]
pub static CONFIGURATION: &[u8; 11] = b"thp:always\0";

#[cfg(test)]
mod tests {
    use std::ffi::{CStr, c_char};
    use std::ptr;

    /// Of another name jemalloc would say nothing.
    #[test]
    fn jemalloc_finds_the_configuration() {
        // SAFETY: nothing writes the pointer, and what it points to is text ended by a zero byte.
        let read = unsafe { tikv_jemalloc_sys::malloc_conf.map(|text| CStr::from_ptr(text)) };
        assert_eq!(read.map(CStr::to_bytes_with_nul), Some(&super::CONFIGURATION[..]));
    }

    #[test]
    fn jemalloc_asks_for_large_pages() {
        let mut mode: *const c_char = ptr::null();
        let mut size = size_of_val(&mode);
        // SAFETY: the option is a text ended by a zero byte, and `size` is what a pointer to it takes.
        let mode = unsafe {
            let name = c"opt.thp".as_ptr();
            let error =
                tikv_jemalloc_sys::mallctl(name, (&raw mut mode).cast(), &raw mut size, ptr::null_mut(), 0);
            assert_eq!(error, 0);
            CStr::from_ptr(mode)
        };
        // A system without such pages makes it the second.
        assert!([c"always", c"not supported"].contains(&mode), "{mode:?}");
    }
}
