// Moves the ports of the racetrack banks alone between words and the verilated module, for a bench that drives
// them without collectors and mapping tables. All outputs are those of the cycle that the clock edge ends.
//
// Input words: rst_ni; read, write and shift cycles, a byte each, preshift, shift_release; staged_i; then for each bank
// request_i with grant_source_i (from bit 16) and grant_place_i (from bit 24), staged_place_i, staged_mask_i.
// Bulk input: 32 words of staged_data_i a bank. Output words: grant_o, unstage_o, deliver_o, reads_o, writes_o,
// shifts_o, preshifts_o, forward_o, read_waits_o, busy_o, two of positions_o; then for each bank
// grant_collector_o with deliver_target_o (from bit 16). Bulk output: 32 words of deliver_data_o a bank.
#include <array>

namespace {

constexpr std::size_t kBanks = 16;
constexpr std::size_t kLanes = 32;
constexpr std::size_t kInputWords = 3 + 3 * kBanks;
constexpr std::size_t kOutputWords = 12 + kBanks;

using verilated_runtime::get_port;
using verilated_runtime::put_port;

struct Outputs {
    std::array<std::uint32_t, kOutputWords> words;
    std::array<std::uint32_t, kBanks * kLanes> data;
};
// Of the cycle that runs on this thread, taken just before its clock edge.
thread_local Outputs outputs;

struct Adapter : heddle::BlockAdapter {
    using Model = Vracetrack_banks;
    static constexpr verilated_runtime::Shape kShape{kInputWords, kBanks * kLanes, kOutputWords, kBanks * kLanes};

    static void clock(Model& model, bool level) {
        if (level) take(model);
        model.clk_i = level;
    }

    static void drive(Model& model, const std::uint32_t* input, const std::uint32_t* data) {
        model.rst_ni = input[0] & 1U;
        model.timing_i = input[1] & 0x3FF'FFFFU;
        model.staged_i = input[2];
        for (std::size_t bank = 0; bank < kBanks; ++bank) {
            const std::uint32_t* words = input + 3 + 3 * bank;
            model.request_i[bank] = words[0] & 0xFFFFU;
            model.grant_source_i[bank] = words[0] >> 16 & 7U;
            model.grant_place_i[bank] = words[0] >> 24 & 0x7FU;
            model.staged_place_i[bank] = words[1];
            model.staged_mask_i[bank] = words[2];
            if (input[2] >> bank & 1U) put_port(model.staged_data_i[bank], data + bank * kLanes);
        }
    }

    static void take(const Model& model) {
        std::uint32_t* words = outputs.words.data();
        words[0] = model.grant_o;
        words[1] = model.unstage_o;
        words[2] = model.deliver_o;
        words[3] = model.reads_o;
        words[4] = model.writes_o;
        words[5] = model.shifts_o;
        words[6] = model.preshifts_o;
        words[7] = model.forward_o;
        words[8] = model.read_waits_o;
        words[9] = model.busy_o;
        get_port(model.positions_o, words + 10);
        for (std::size_t bank = 0; bank < kBanks; ++bank) {
            const std::uint32_t target = model.deliver_target_o[bank];
            words[12 + bank] = model.grant_collector_o[bank] | target << 16;
            if (model.deliver_o >> bank & 1U) {
                get_port(model.deliver_data_o[bank], outputs.data.data() + bank * kLanes);
            }
        }
    }

    static void sample(const Model&, std::uint32_t* output, std::uint32_t* data) {
        std::memcpy(output, outputs.words.data(), sizeof outputs.words);
        std::memcpy(data, outputs.data.data(), sizeof outputs.data);
    }
};

}  // namespace

VERILATED_RUNTIME_MODEL(Adapter)
