// The C++ side of the cxx bridge: loads a model's library and calls its instances.
#ifndef VERILATED_RUNTIME_BRIDGE_H_
#define VERILATED_RUNTIME_BRIDGE_H_

#include "verilated_instance.h"

#include "rust/cxx.h"

#include <memory>

namespace verilated_runtime {

// A loaded library. It stays loaded until the process ends: code of a model may be referred to by
// thread-local state of its runtime.
class Library {
public:
    using Factory = Instance* (*)(const Options&);
    explicit Library(Factory factory) : m_factory{factory} {}
    Factory factory() const { return m_factory; }

private:
    Factory m_factory;
};

std::shared_ptr<Library> open_library(rust::Str path);
std::unique_ptr<Instance> make_instance(const Library& library, std::int32_t seed,
                                        std::int32_t random_reset,
                                        rust::Slice<const rust::String> plusargs);

// Input, bulk input, output and bulk output words of a cycle.
rust::Vec<std::size_t> shape(const Instance& instance);
rust::Vec<std::uint32_t> info(const Instance& instance);

// The slices have the lengths that `shape` tells.
inline void cycle(Instance& instance, rust::Slice<const std::uint32_t> input,
                  rust::Slice<const std::uint32_t> bulk_input, rust::Slice<std::uint32_t> output,
                  rust::Slice<std::uint32_t> bulk_output) {
    instance.cycle(input.data(), bulk_input.data(), output.data(), bulk_output.data());
}
inline std::uint64_t cycles(const Instance& instance) { return instance.cycles(); }
inline void restart_count(Instance& instance) { instance.restart_count(); }
inline bool finished(const Instance& instance) { return instance.finished(); }
rust::String take_output(Instance& instance);
inline std::uint64_t control(Instance& instance, std::uint32_t code, std::uint64_t value) {
    return instance.control(code, value);
}
void trace_open(Instance& instance, rust::Str path);
inline void trace_flush(Instance& instance) { instance.trace_flush(); }
inline void trace_close(Instance& instance) { instance.trace_close(); }
void coverage_write(Instance& instance, rust::Str path);
inline void finish(Instance& instance) { instance.finish(); }

}  // namespace verilated_runtime

#endif
