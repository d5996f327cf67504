// Keeps what a model prints, and turns its fatal errors into exceptions.
#include "capture.h"

#include "verilated.h"
#include "verilated_capture.h"

#include <cstdarg>
#include <cstdio>
#include <stdexcept>

namespace verilated_runtime {
namespace {
thread_local std::string* sink = nullptr;
// What one instance may print before it is read; beyond it the text is cut.
constexpr std::size_t kMostText = 1 << 20;
}  // namespace

void capture_into(std::string* text) { sink = text; }
}  // namespace verilated_runtime

extern "C" int verilated_runtime_printf(const char* format, ...) {
    std::va_list list;
    va_start(list, format);
    std::va_list again;
    va_copy(again, list);
    const int length = std::vsnprintf(nullptr, 0, format, list);
    va_end(list);
    if (length > 0) {
        std::string text(static_cast<std::size_t>(length) + 1, '\0');
        std::vsnprintf(&text[0], text.size(), format, again);
        text.pop_back();
        std::string* const to = verilated_runtime::sink;
        if (to == nullptr) {
            std::fputs(text.c_str(), stderr);
        } else if (to->size() < verilated_runtime::kMostText) {
            *to += text;
        }
    }
    va_end(again);
    return length;
}

// Verilator's own version ends the process. Callers rely on it not returning.
void vl_fatal(const char* filename, int linenum, const char* hier, const char* msg) VL_MT_UNSAFE {
    (void)hier;
    Verilated::threadContextp()->gotError(true);
    Verilated::threadContextp()->gotFinish(true);
    std::string text = "%Error: ";
    if (filename != nullptr && filename[0] != '\0') {
        text += std::string{filename} + ":" + std::to_string(linenum) + ": ";
    }
    throw std::runtime_error(text + msg);
}
