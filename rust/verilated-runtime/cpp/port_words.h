// Moves 32-bit words into and out of a verilated model's ports of any width, bit 0 of word 0 being
// the port's least significant bit.
#ifndef VERILATED_RUNTIME_PORT_WORDS_H_
#define VERILATED_RUNTIME_PORT_WORDS_H_

#include "verilated.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace verilated_runtime {

// 32-bit words that a port of type T occupies in a word buffer.
template <typename T>
constexpr std::size_t port_words() {
    using Port = std::remove_cv_t<std::remove_reference_t<T>>;
    return sizeof(Port) <= 4 ? 1 : sizeof(Port) / 4;
}

// A port of up to 64 bits. The unused high bits of `words` must be zero.
template <typename T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline void put_port(T& port, const std::uint32_t* words) {
    if constexpr (sizeof(T) > 4) {
        port = static_cast<T>(words[0]) | (static_cast<T>(words[1]) << 32);
    } else {
        port = static_cast<T>(words[0]);
    }
}
template <std::size_t N>
inline void put_port(VlWide<N>& port, const std::uint32_t* words) {
    std::memcpy(port.data(), words, N * sizeof(std::uint32_t));
}

template <typename T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline void get_port(const T& port, std::uint32_t* words) {
    words[0] = static_cast<std::uint32_t>(port);
    if constexpr (sizeof(T) > 4) words[1] = static_cast<std::uint32_t>(port >> 32);
}
template <std::size_t N>
inline void get_port(const VlWide<N>& port, std::uint32_t* words) {
    std::memcpy(words, port.data(), N * sizeof(std::uint32_t));
}

}  // namespace verilated_runtime

#endif
