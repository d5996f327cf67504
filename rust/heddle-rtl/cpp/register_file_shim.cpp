// Moves the ports of any design between words and the verilated top module. The build puts HEDDLE_MODEL,
// HEDDLE_MODEL_HEADER, the struct widths, HEDDLE_FAULTS and HEDDLE_MEMORY (the top has the memory port too)
// before this text.
//
// Input words: rst_ni, config_i, issue_i, operands_ready_i, result_i, command_i, each from a word of
// its own. Output words: issue_ready_o, operands_o, result_ready_o, command_ready_o, done_o, status_o,
// events_o. Bulk input: 32 words for each of 4 result slots, read under the slot's valid. Bulk output:
// 6 x 32 words for each of 4 operand slots, written under the slot's valid.
//
// With the memory port, input words go on with memory_request_i, memory_flush_i, lower_ready_i,
// lower_response_i, output words with memory_request_ready_o, memory_response_o, memory_performed_o,
// memory_idle_o, lower_request_o. Bulk input goes on with the 32 x 4 words of memory_request_data_i and the 32
// of lower_response_data_i, bulk output with memory_response_data_o and lower_request_data_o, all under
// their valid.
#include HEDDLE_MODEL_HEADER
#include "port_words.h"
#include "verilated_model.h"

#include <cstring>

namespace {

using verilated_runtime::get_port;
using verilated_runtime::port_words;
using verilated_runtime::put_port;

constexpr std::size_t kMostSlots = 4;
constexpr std::size_t kLaneWords = 32;
constexpr std::size_t kOperandWords = 6 * kLaneWords;

#define HEDDLE_WORDS(PORT) port_words<decltype(HEDDLE_MODEL::PORT)>()

constexpr std::size_t kConfigAt = 1;
constexpr std::size_t kIssueAt = kConfigAt + HEDDLE_WORDS(config_i);
constexpr std::size_t kOperandsReadyAt = kIssueAt + HEDDLE_WORDS(issue_i);
constexpr std::size_t kResultAt = kOperandsReadyAt + 1;
constexpr std::size_t kCommandAt = kResultAt + HEDDLE_WORDS(result_i);
constexpr std::size_t kMemoryInputAt = kCommandAt + HEDDLE_WORDS(command_i);

constexpr std::size_t kOperandsAt = 1;
constexpr std::size_t kResultReadyAt = kOperandsAt + HEDDLE_WORDS(operands_o);
constexpr std::size_t kCommandReadyAt = kResultReadyAt + 1;
constexpr std::size_t kDoneAt = kCommandReadyAt + 1;
constexpr std::size_t kStatusAt = kDoneAt + HEDDLE_WORDS(done_o);
constexpr std::size_t kEventsAt = kStatusAt + HEDDLE_WORDS(status_o);
constexpr std::size_t kMemoryOutputAt = kEventsAt + HEDDLE_WORDS(events_o);

#if HEDDLE_MEMORY
constexpr std::size_t kLaneDataWords = 4 * kLaneWords;
constexpr std::size_t kLineWords = 32;
constexpr std::size_t kRequestAt = kMemoryInputAt;
constexpr std::size_t kFlushAt = kRequestAt + HEDDLE_WORDS(memory_request_i);
constexpr std::size_t kLowerReadyAt = kFlushAt + 1;
constexpr std::size_t kLowerResponseAt = kLowerReadyAt + 1;
constexpr std::size_t kInputWords = kLowerResponseAt + HEDDLE_WORDS(lower_response_i);
constexpr std::size_t kRequestReadyAt = kMemoryOutputAt;
constexpr std::size_t kResponseAt = kRequestReadyAt + 1;
constexpr std::size_t kPerformedAt = kResponseAt + HEDDLE_WORDS(memory_response_o);
constexpr std::size_t kIdleAt = kPerformedAt + HEDDLE_WORDS(memory_performed_o);
constexpr std::size_t kLowerRequestAt = kIdleAt + 1;
constexpr std::size_t kOutputWords = kLowerRequestAt + HEDDLE_WORDS(lower_request_o);
constexpr std::size_t kMemoryBulkWords = kLaneDataWords + kLineWords;
static_assert(HEDDLE_WORDS(memory_request_data_i) == kLaneDataWords,
              "memory_request_data_i is [31:0][3:0][31:0]");
static_assert(HEDDLE_WORDS(memory_response_data_o) == kLaneDataWords,
              "memory_response_data_o is [31:0][3:0][31:0]");
static_assert(HEDDLE_WORDS(lower_response_data_i) == kLineWords, "lower_response_data_i is [31:0][31:0]");
static_assert(HEDDLE_WORDS(lower_request_data_o) == kLineWords, "lower_request_data_o is [31:0][31:0]");
static_assert(HEDDLE_WORDS(memory_request_i) == (HEDDLE_MEM_REQUEST_BITS + 31) / 32,
              "memory_request_i is mem_request_t");
static_assert(HEDDLE_WORDS(lower_request_o) == (HEDDLE_MEM_LOWER_REQUEST_BITS + 31) / 32,
              "lower_request_o is mem_lower_request_t");
#else
constexpr std::size_t kInputWords = kMemoryInputAt;
constexpr std::size_t kOutputWords = kMemoryOutputAt;
constexpr std::size_t kMemoryBulkWords = 0;
#endif
constexpr std::size_t kResultDataWords = kMostSlots * kLaneWords;
constexpr std::size_t kOperandDataWords = kMostSlots * kOperandWords;

constexpr std::size_t kIssueWidth = HEDDLE_WORDS(operand_data_o) / kOperandWords;
constexpr std::size_t kResultWidth = HEDDLE_WORDS(result_data_i) / kLaneWords;
static_assert(kIssueWidth >= 1 && kIssueWidth <= kMostSlots, "IssueWidth is 1 to 4");
static_assert(kResultWidth >= 1 && kResultWidth <= kMostSlots, "ResultWidth is 1 to 4");
static_assert(HEDDLE_WORDS(operand_data_o) == kIssueWidth * kOperandWords,
              "operand_data_o is [IssueWidth-1:0][5:0][31:0][31:0]");
static_assert(HEDDLE_WORDS(result_data_i) == kResultWidth * kLaneWords,
              "result_data_i is [ResultWidth-1:0][31:0][31:0]");
static_assert(HEDDLE_WORDS(issue_i) == (kIssueWidth * HEDDLE_ISSUE_BITS + 31) / 32,
              "issue_i is issue_t [IssueWidth-1:0]");
static_assert(HEDDLE_WORDS(result_i) == (kResultWidth * HEDDLE_RESULT_BITS + 31) / 32,
              "result_i is result_t [ResultWidth-1:0]");
static_assert(HEDDLE_WORDS(operands_o) == (kIssueWidth * HEDDLE_OPERANDS_BITS + 31) / 32,
              "operands_o is operands_t [IssueWidth-1:0]");

// The first field of a struct, valid, is its most significant bit.
inline bool slot_valid(const std::uint32_t* words, std::size_t slot, std::size_t bits) {
    const std::size_t at = slot * bits + bits - 1;
    return (words[at / 32] >> (at % 32)) & 1U;
}

#if HEDDLE_FAULTS
// The planted bug of the instance that runs on this thread.
struct FaultState {
    std::uint16_t selected = 0;
    std::uint64_t activations = 0;
};
thread_local FaultState* current_fault = nullptr;
#endif

struct Adapter {
    using Model = HEDDLE_MODEL;
    static constexpr verilated_runtime::Shape kShape{kInputWords, kResultDataWords + kMemoryBulkWords,
                                                     kOutputWords,
                                                     kOperandDataWords + kMemoryBulkWords};

    static std::vector<std::uint32_t> info() {
        return {kIssueWidth, kResultWidth, HEDDLE_MEMORY, HEDDLE_WORDS(events_o)};
    }

    static void clock(Model& model, bool level) { model.clk_i = level; }

    static void drive(Model& model, const std::uint32_t* input, const std::uint32_t* bulk_input) {
        put_port(model.rst_ni, input);
        put_port(model.config_i, input + kConfigAt);
        put_port(model.issue_i, input + kIssueAt);
        put_port(model.operands_ready_i, input + kOperandsReadyAt);
        put_port(model.result_i, input + kResultAt);
        put_port(model.command_i, input + kCommandAt);
        for (std::size_t slot = 0; slot < kResultWidth; ++slot) {
            if (slot_valid(input + kResultAt, slot, HEDDLE_RESULT_BITS)) {
                std::memcpy(model.result_data_i.data() + slot * kLaneWords,
                            bulk_input + slot * kLaneWords, kLaneWords * 4);
            }
        }
#if HEDDLE_MEMORY
        put_port(model.memory_request_i, input + kRequestAt);
        put_port(model.memory_flush_i, input + kFlushAt);
        put_port(model.lower_ready_i, input + kLowerReadyAt);
        put_port(model.lower_response_i, input + kLowerResponseAt);
        if (slot_valid(input + kRequestAt, 0, HEDDLE_MEM_REQUEST_BITS)) {
            put_port(model.memory_request_data_i, bulk_input + kResultDataWords);
        }
        if (slot_valid(input + kLowerResponseAt, 0, HEDDLE_MEM_LOWER_RESPONSE_BITS)) {
            put_port(model.lower_response_data_i, bulk_input + kResultDataWords + kLaneDataWords);
        }
#endif
    }

    static void sample(const Model& model, std::uint32_t* output, std::uint32_t* bulk_output) {
        get_port(model.issue_ready_o, output);
        get_port(model.operands_o, output + kOperandsAt);
        get_port(model.result_ready_o, output + kResultReadyAt);
        get_port(model.command_ready_o, output + kCommandReadyAt);
        get_port(model.done_o, output + kDoneAt);
        get_port(model.status_o, output + kStatusAt);
        get_port(model.events_o, output + kEventsAt);
        for (std::size_t slot = 0; slot < kIssueWidth; ++slot) {
            if (slot_valid(output + kOperandsAt, slot, HEDDLE_OPERANDS_BITS)) {
                std::memcpy(bulk_output + slot * kOperandWords,
                            model.operand_data_o.data() + slot * kOperandWords, kOperandWords * 4);
            }
        }
#if HEDDLE_MEMORY
        get_port(model.memory_request_ready_o, output + kRequestReadyAt);
        get_port(model.memory_response_o, output + kResponseAt);
        get_port(model.memory_performed_o, output + kPerformedAt);
        get_port(model.memory_idle_o, output + kIdleAt);
        get_port(model.lower_request_o, output + kLowerRequestAt);
        if (slot_valid(output + kResponseAt, 0, HEDDLE_MEM_RESPONSE_BITS)) {
            get_port(model.memory_response_data_o, bulk_output + kOperandDataWords);
        }
        if (slot_valid(output + kLowerRequestAt, 0, HEDDLE_MEM_LOWER_REQUEST_BITS)) {
            get_port(model.lower_request_data_o, bulk_output + kOperandDataWords + kLaneDataWords);
        }
#endif
    }

#if HEDDLE_FAULTS
    void enter() { current_fault = &m_fault; }
    void leave() { current_fault = nullptr; }

    // 1: plants bug `value` (0 none) and clears its count; 2: tells the count.
    std::uint64_t control(std::uint32_t code, std::uint64_t value) {
        if (code == 1) {
            m_fault = FaultState{static_cast<std::uint16_t>(value), 0};
            return 0;
        }
        if (code == 2) return m_fault.activations;
        throw std::runtime_error("unknown control code " + std::to_string(code));
    }

    FaultState m_fault;
#else
    void enter() {}
    void leave() {}
    std::uint64_t control(std::uint32_t, std::uint64_t) {
        throw std::runtime_error("this model was built without planted bugs");
    }
#endif
};

}  // namespace

#if HEDDLE_FAULTS
// Whether the instance has planted bug `id`; counts the evaluations in which it makes a difference.
extern "C" unsigned char heddle_fault_pick(short id, unsigned char differs) {
    if (current_fault == nullptr || static_cast<std::uint16_t>(id) != current_fault->selected) {
        return 0;
    }
    current_fault->activations += differs & 1U;
    return 1;
}
#endif
