// Words of the counter: input = {rst_ni, enable_i, fail_i}, bulk input = wide_i; output = {count_o,
// unset_o}, bulk output = wide_o.
#include "Vcounter.h"
#include "port_words.h"
#include "verilated_model.h"

namespace {

using verilated_runtime::get_port;
using verilated_runtime::put_port;

struct Adapter {
    using Model = Vcounter;
    static constexpr verilated_runtime::Shape kShape{3, 4, 2, 4};
    static std::vector<std::uint32_t> info() { return {32, 100}; }
    void enter() {}
    void leave() {}
    static void clock(Model& model, bool level) { model.clk_i = level; }
    static void drive(Model& model, const std::uint32_t* input, const std::uint32_t* bulk_input) {
        put_port(model.rst_ni, input);
        put_port(model.enable_i, input + 1);
        put_port(model.fail_i, input + 2);
        put_port(model.wide_i, bulk_input);
    }
    static void sample(const Model& model, std::uint32_t* output, std::uint32_t* bulk_output) {
        get_port(model.count_o, output);
        get_port(model.unset_o, output + 1);
        get_port(model.wide_o, bulk_output);
    }
    std::uint64_t control(std::uint32_t code, std::uint64_t value) {
        if (code != 7) throw std::runtime_error("the counter knows control code 7 only");
        return value + 1;
    }
};

}  // namespace

VERILATED_RUNTIME_MODEL(Adapter)
