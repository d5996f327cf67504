#include "bridge.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace verilated_runtime {

#define VERILATED_RUNTIME_TEXT_(x) #x
#define VERILATED_RUNTIME_TEXT(x) VERILATED_RUNTIME_TEXT_(x)

std::shared_ptr<Library> open_library(rust::Str path) {
    const std::string name{path};
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) throw std::runtime_error(dlerror());
    void* const symbol = dlsym(handle, VERILATED_RUNTIME_TEXT(VERILATED_RUNTIME_FACTORY));
    if (symbol == nullptr) {
        const char* const reason = dlerror();
        throw std::runtime_error(reason == nullptr ? "the library has no model" : reason);
    }
    return std::make_shared<Library>(reinterpret_cast<Library::Factory>(symbol));
}

std::unique_ptr<Instance> make_instance(const Library& library, std::int32_t seed,
                                        std::int32_t random_reset,
                                        rust::Slice<const rust::String> plusargs) {
    Options options;
    options.seed = seed;
    options.random_reset = random_reset;
    for (const rust::String& argument : plusargs) options.plusargs.emplace_back(argument);
    return std::unique_ptr<Instance>{library.factory()(options)};
}

rust::Vec<std::size_t> shape(const Instance& instance) {
    const Shape shape = instance.shape();
    rust::Vec<std::size_t> words;
    for (const std::size_t n : {shape.input, shape.bulk_input, shape.output, shape.bulk_output}) {
        words.push_back(n);
    }
    return words;
}

rust::Vec<std::uint32_t> info(const Instance& instance) {
    rust::Vec<std::uint32_t> words;
    for (const std::uint32_t word : instance.info()) words.push_back(word);
    return words;
}

rust::String take_output(Instance& instance) {
    return rust::String::lossy(instance.take_output());
}

void trace_open(Instance& instance, rust::Str path) { instance.trace_open(std::string{path}); }

void coverage_write(Instance& instance, rust::Str path) {
    instance.coverage_write(std::string{path});
}

}  // namespace verilated_runtime
