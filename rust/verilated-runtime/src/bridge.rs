//! The border to C++.

#[cxx::bridge(namespace = "verilated_runtime")]
pub mod ffi {
    unsafe extern "C++" {
        include!("bridge.h");

        type Library;
        type Instance;

        fn open_library(path: &str) -> Result<SharedPtr<Library>>;
        fn make_instance(
            library: &Library,
            seed: i32,
            random_reset: i32,
            plusargs: &[String],
        ) -> Result<UniquePtr<Instance>>;

        fn shape(instance: &Instance) -> Vec<usize>;
        fn info(instance: &Instance) -> Vec<u32>;
        fn cycle(
            instance: Pin<&mut Instance>,
            input: &[u32],
            bulk_input: &[u32],
            output: &mut [u32],
            bulk_output: &mut [u32],
        ) -> Result<()>;
        fn cycles(instance: &Instance) -> u64;
        fn restart_count(instance: Pin<&mut Instance>) -> Result<()>;
        fn finished(instance: &Instance) -> bool;
        fn take_output(instance: Pin<&mut Instance>) -> String;
        fn control(instance: Pin<&mut Instance>, code: u32, value: u64) -> Result<u64>;
        fn trace_open(instance: Pin<&mut Instance>, path: &str) -> Result<()>;
        fn trace_flush(instance: Pin<&mut Instance>) -> Result<()>;
        fn trace_close(instance: Pin<&mut Instance>) -> Result<()>;
        fn coverage_write(instance: Pin<&mut Instance>, path: &str) -> Result<()>;
        fn finish(instance: Pin<&mut Instance>) -> Result<()>;
    }
}
