// Moves the words of the write buffers' bench in and out. Input words: rst_ni, in_i, data_i. Output words: out_o,
// write_data_o by bank, read_data_o by buffer and array.
namespace {

using verilated_runtime::get_port;
using verilated_runtime::port_words;
using verilated_runtime::put_port;

struct Adapter : heddle::BlockAdapter {
    using Model = Vwrite_buffers_bench;
    static constexpr std::size_t kIn = port_words<decltype(Model::in_i)>();
    static constexpr std::size_t kOut = port_words<decltype(Model::out_o)>();
    static constexpr std::size_t kData = 32;
    static constexpr std::size_t kBanks = 2, kBuffers = 2, kArrays = 8;
    static constexpr std::size_t kOutputs = kOut + (kBanks + kBuffers * kArrays) * kData;
    static constexpr verilated_runtime::Shape kShape{1 + kIn + kData, 0, kOutputs, 0};

    static void clock(Model& model, bool level) { model.clk_i = level; }

    static void drive(Model& model, const std::uint32_t* input, const std::uint32_t*) {
        model.rst_ni = input[0];
        put_port(model.in_i, input + 1);
        put_port(model.data_i, input + 1 + kIn);
    }

    static void sample(const Model& model, std::uint32_t* output, std::uint32_t*) {
        get_port(model.out_o, output);
        output += kOut;
        for (std::size_t k = 0; k < kBanks; k++, output += kData) get_port(model.write_data_o[k], output);
        for (std::size_t b = 0; b < kBuffers; b++) {
            for (std::size_t a = 0; a < kArrays; a++, output += kData) get_port(model.read_data_o[b][a], output);
        }
    }
};

}  // namespace

VERILATED_RUNTIME_MODEL(Adapter)
