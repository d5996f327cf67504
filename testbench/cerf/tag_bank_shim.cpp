// Moves the ports of a tag bank alone between words and the verilated module. Input words: rst_ni, op_i, line_i,
// dead_i, full_i, fair_i, commit_i, frees_i, free_group_i, free_rows_i. Output words: hit_o, evict_o, placed_o,
// before_o, row_o, evicted_o, registers_o, lines_o, spilled_o, returning_o, free_waits_o, ended_o.
namespace {

struct Adapter : heddle::BlockAdapter {
    using Model = Vtag_bank;
    static constexpr verilated_runtime::Shape kShape{10, 0, 12, 0};

    static void clock(Model& model, bool level) { model.clk_i = level; }

    static void drive(Model& model, const std::uint32_t* input, const std::uint32_t*) {
        model.rst_ni = input[0];
        model.op_i = input[1];
        model.line_i = input[2];
        model.dead_i = input[3];
        model.full_i = input[4];
        model.fair_i = input[5];
        model.commit_i = input[6];
        model.frees_i = input[7];
        model.free_group_i = input[8];
        model.free_rows_i = input[9];
    }

    static void sample(const Model& model, std::uint32_t* output, std::uint32_t*) {
        output[0] = model.hit_o;
        output[1] = model.evict_o;
        output[2] = model.placed_o;
        output[3] = model.before_o;
        output[4] = model.row_o;
        output[5] = model.evicted_o;
        output[6] = model.registers_o;
        output[7] = model.lines_o;
        output[8] = model.spilled_o;
        output[9] = model.returning_o;
        output[10] = model.free_waits_o;
        output[11] = model.ended_o;
    }
};

}  // namespace

VERILATED_RUNTIME_MODEL(Adapter)
