// Moves the ports of the shared-memory cache between words and the verilated model.
//
// Input words: rst_ni and flush_i (bit 1), config_i, request_i, lower_ready_i, lower_response_i, each from a word of its own.
// Output words: request_ready_o, response_o, performed_o, lower_request_o, idle_o, events_o. Bulk input:
// request_data_i (4 words for each of 32 lanes), lower_response_data_i (32 words). Bulk output: response_data_o,
// lower_request_data_o.
namespace {

using verilated_runtime::get_port;
using verilated_runtime::port_words;
using verilated_runtime::put_port;

using Model = Vosm_cache;

constexpr std::size_t kLaneWords = 128;
constexpr std::size_t kLineWords = 32;

constexpr std::size_t kConfigAt = 1;
constexpr std::size_t kRequestAt = kConfigAt + port_words<decltype(Model::config_i)>();
constexpr std::size_t kLowerReadyAt = kRequestAt + port_words<decltype(Model::request_i)>();
constexpr std::size_t kLowerResponseAt = kLowerReadyAt + 1;
constexpr std::size_t kInputWords = kLowerResponseAt + port_words<decltype(Model::lower_response_i)>();

constexpr std::size_t kResponseAt = 1;
constexpr std::size_t kPerformedAt = kResponseAt + port_words<decltype(Model::response_o)>();
constexpr std::size_t kLowerRequestAt = kPerformedAt + port_words<decltype(Model::performed_o)>();
constexpr std::size_t kIdleAt = kLowerRequestAt + port_words<decltype(Model::lower_request_o)>();
constexpr std::size_t kEventsAt = kIdleAt + 1;
constexpr std::size_t kOutputWords = kEventsAt + port_words<decltype(Model::events_o)>();

struct Adapter : heddle::BlockAdapter {
    using Model = Vosm_cache;
    static constexpr verilated_runtime::Shape kShape{kInputWords, kLaneWords + kLineWords, kOutputWords,
                                                     kLaneWords + kLineWords};
    static void clock(Model& model, bool level) { model.clk_i = level; }
    static void drive(Model& model, const std::uint32_t* input, const std::uint32_t* bulk_input) {
        model.rst_ni = input[0] & 1U;
        model.flush_i = input[0] >> 1 & 1U;
        put_port(model.config_i, input + kConfigAt);
        put_port(model.request_i, input + kRequestAt);
        put_port(model.lower_ready_i, input + kLowerReadyAt);
        put_port(model.lower_response_i, input + kLowerResponseAt);
        put_port(model.request_data_i, bulk_input);
        put_port(model.lower_response_data_i, bulk_input + kLaneWords);
    }
    static void sample(const Model& model, std::uint32_t* output, std::uint32_t* bulk_output) {
        get_port(model.request_ready_o, output);
        get_port(model.response_o, output + kResponseAt);
        get_port(model.performed_o, output + kPerformedAt);
        get_port(model.lower_request_o, output + kLowerRequestAt);
        get_port(model.idle_o, output + kIdleAt);
        get_port(model.events_o, output + kEventsAt);
        get_port(model.response_data_o, bulk_output);
        get_port(model.lower_request_data_o, bulk_output + kLaneWords);
    }
};

}  // namespace

VERILATED_RUNTIME_MODEL(Adapter)
