// What the adapters of all blocks share: planted bugs, in a model that was built with them (HEDDLE_FAULTS).
#include "port_words.h"
#include "verilated_model.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle {

#if HEDDLE_FAULTS
// The planted bug of the instance that runs on this thread.
struct FaultState {
    std::uint16_t selected = 0;
    std::uint64_t activations = 0;
};
inline thread_local FaultState* current_fault = nullptr;
#endif

struct BlockAdapter {
    static std::vector<std::uint32_t> info() { return {}; }

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

}  // namespace heddle

#if HEDDLE_FAULTS
// Whether the instance has planted bug `id`; counts the evaluations in which it makes a difference.
extern "C" unsigned char heddle_fault_pick(short id, unsigned char differs) {
    using heddle::current_fault;
    if (current_fault == nullptr || static_cast<std::uint16_t>(id) != current_fault->selected) {
        return 0;
    }
    current_fault->activations += differs & 1U;
    return 1;
}
#endif
