// What a model's shared library and the loading program agree on. Plain C++17: it needs neither
// Verilator nor the Rust bridge.
#ifndef VERILATED_RUNTIME_INSTANCE_H_
#define VERILATED_RUNTIME_INSTANCE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace verilated_runtime {

// How an instance begins its life.
struct Options {
    // Seed of the random initial state, 1 to 2^31 - 1.
    std::int32_t seed = 1;
    // 0: all zero, 1: all one, 2: random.
    std::int32_t random_reset = 2;
    // Plus-arguments, each with its leading '+'.
    std::vector<std::string> plusargs;
};

// Numbers of 32-bit words that one cycle moves.
struct Shape {
    std::size_t input = 0;
    std::size_t bulk_input = 0;
    std::size_t output = 0;
    std::size_t bulk_output = 0;
};

// One model with its own simulation context. Every method throws std::exception on failure, with
// what the model printed; after a failure of `cycle` each further one throws the same.
class Instance {
public:
    virtual ~Instance() = default;

    virtual Shape shape() const = 0;
    // Constants of the adapter, for example port widths.
    virtual std::vector<std::uint32_t> info() const = 0;
    // Drives the inputs, makes one rising clock edge, and samples the outputs.
    virtual void cycle(const std::uint32_t* input, const std::uint32_t* bulk_input,
                       std::uint32_t* output, std::uint32_t* bulk_output)
        = 0;
    // Rising clock edges since the instance was made or the count restarted.
    virtual std::uint64_t cycles() const = 0;
    // Counts cycles from 0 again, for example after reset.
    virtual void restart_count() = 0;
    // Whether the model called $finish.
    virtual bool finished() const = 0;
    // What the model printed since the last call.
    virtual std::string take_output() = 0;
    // A request to the adapter, whose meaning the adapter defines.
    virtual std::uint64_t control(std::uint32_t code, std::uint64_t value) = 0;
    // Waveforms; every cycle from the next one on is written.
    virtual void trace_open(const std::string& path) = 0;
    virtual void trace_flush() = 0;
    virtual void trace_close() = 0;
    // Writes what was covered since the instance was made.
    virtual void coverage_write(const std::string& path) = 0;
    // Runs the model's final blocks. Further cycles are errors.
    virtual void finish() = 0;
};

}  // namespace verilated_runtime

// The one symbol that a model's library exports. Throws std::exception.
#define VERILATED_RUNTIME_FACTORY verilated_runtime_factory_2
extern "C" verilated_runtime::Instance*
VERILATED_RUNTIME_FACTORY(const verilated_runtime::Options& options);

#endif
