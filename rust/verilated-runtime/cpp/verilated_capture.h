// Where the printed text of the calling thread's model goes.
#ifndef VERILATED_RUNTIME_VERILATED_CAPTURE_H_
#define VERILATED_RUNTIME_VERILATED_CAPTURE_H_

#include <string>

namespace verilated_runtime {
// Text printed on this thread from now on is appended to `*text`; null: to standard error.
void capture_into(std::string* text);
}  // namespace verilated_runtime

#endif
