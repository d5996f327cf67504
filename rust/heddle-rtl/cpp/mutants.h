
// The adapter of a model with mutants; it stands behind that of all register files.
#include <cstdlib>
#include <cstring>

namespace {

// How often the expression of a mutant was evaluated, and how often the mutant's value was another one.
struct MutantCounts {
    std::uint64_t evaluated = 0;
    std::uint64_t differed = 0;
};

// The mutants of the instance that runs on this thread.
struct MutantState {
    // Number of the mutant that the instance is, 0 none. It stands in a plus-argument, so that it is known
    // in the first evaluation of the model, when its instance is still being made.
    std::size_t selected = 0;
    bool known = false;
    std::vector<MutantCounts> counts;
};
thread_local MutantState* current_mutants = nullptr;

struct MutantAdapter : Adapter {
    void enter() { current_mutants = &m_mutants; }
    void leave() { current_mutants = nullptr; }

    // 1: evaluations of mutant `value`; 2: those in which its value was another one.
    std::uint64_t control(std::uint32_t code, std::uint64_t value) {
        if (code != 1 && code != 2) {
            throw std::runtime_error("unknown control code " + std::to_string(code));
        }
        if (value >= m_mutants.counts.size()) return 0;
        const MutantCounts& counts = m_mutants.counts[value];
        return code == 1 ? counts.evaluated : counts.differed;
    }

    MutantState m_mutants;
};

}  // namespace

// Whether the instance is mutant `id`; counts its evaluations and those in which it makes a difference.
extern "C" unsigned char heddle_mutant_pick(short id, unsigned char differs) {
    if (current_mutants == nullptr) return 0;
    MutantState& state = *current_mutants;
    if (!state.known) {
        static const char kName[] = "+heddle_mutant=";
        const char* argument = Verilated::threadContextp()->commandArgsPlusMatch(kName + 1);
        if (std::strncmp(argument, kName, sizeof kName - 1) == 0) {
            state.selected = std::strtoul(argument + sizeof kName - 1, nullptr, 10);
        }
        state.known = true;
    }
    const auto number = static_cast<std::size_t>(static_cast<unsigned short>(id));
    if (number >= state.counts.size()) state.counts.resize(number + 1);
    ++state.counts[number].evaluated;
    state.counts[number].differed += differs & 1U;
    return number == state.selected;
}
