//! Compiles the C++ side of the bridge.

fn main() {
    for file in ["src/bridge.rs", "cpp/bridge.cpp", "cpp/bridge.h", "cpp/verilated_instance.h"] {
        println!("cargo:rerun-if-changed={file}");
    }
    cxx_build::bridge("src/bridge.rs")
        .file("cpp/bridge.cpp")
        .include("cpp")
        .std("c++17")
        .compile("verilated_runtime_bridge");
    println!("cargo:rustc-link-lib=dl");
}
