// Moves the ports of the adders of one lane between words and the verilated module. Input words: take_i, old_i (2),
// operand_i (2), step_i, format_i. Output words: sum_o (2).
namespace {

struct Adapter : heddle::BlockAdapter {
    using Model = Vfloat_unit;
    static constexpr verilated_runtime::Shape kShape{7, 0, 2, 0};

    static void clock(Model& model, bool level) { model.clk_i = level; }

    static std::uint64_t wide(const std::uint32_t* words) {
        return words[0] | static_cast<std::uint64_t>(words[1]) << 32U;
    }

    static void drive(Model& model, const std::uint32_t* input, const std::uint32_t*) {
        model.take_i = input[0];
        model.old_i = wide(input + 1);
        model.operand_i = wide(input + 3);
        model.step_i = input[5];
        model.format_i = input[6];
    }

    static void sample(const Model& model, std::uint32_t* output, std::uint32_t*) {
        output[0] = static_cast<std::uint32_t>(model.sum_o);
        output[1] = static_cast<std::uint32_t>(model.sum_o >> 32U);
    }
};

}  // namespace

VERILATED_RUNTIME_MODEL(Adapter)
