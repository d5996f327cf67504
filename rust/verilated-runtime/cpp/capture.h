// Included before every generated and runtime source (-include): what a model prints goes to
// `verilated_runtime_printf` and so reaches the instance that printed it.
#ifndef VERILATED_RUNTIME_CAPTURE_H_
#define VERILATED_RUNTIME_CAPTURE_H_
#ifdef __cplusplus
extern "C" {
#endif
int verilated_runtime_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
#ifdef __cplusplus
}
#endif
#define VL_PRINTF verilated_runtime_printf
#define VL_USER_FATAL 1
#endif
