// Makes an Instance of a verilated top module.
//
// The shim of a model writes an adapter and one line:
//
//     struct Adapter {
//         using Model = Vcounter;
//         static constexpr verilated_runtime::Shape kShape{1, 0, 1, 0};
//         static std::vector<std::uint32_t> info();
//         void enter() {}                        // before every evaluation, on the calling thread
//         void leave() {}                        // after it
//         static void clock(Model&, bool level);
//         static void drive(Model&, const std::uint32_t* input, const std::uint32_t* bulk_input);
//         static void sample(const Model&, std::uint32_t* output, std::uint32_t* bulk_output);
//         std::uint64_t control(std::uint32_t code, std::uint64_t value);
//     };
//     VERILATED_RUNTIME_MODEL(Adapter)
#ifndef VERILATED_RUNTIME_MODEL_H_
#define VERILATED_RUNTIME_MODEL_H_

#include "verilated.h"
#include "verilated_capture.h"
#include "verilated_instance.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#if VM_TRACE
#include "vcd_file.h"
#endif

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace verilated_runtime {

// Verilator seeds its random numbers by thread and process, so instances are made one at a time.
inline std::mutex& making() {
    static std::mutex mutex;
    return mutex;
}

template <typename Adapter>
class ModelInstance final : public Instance {
    using Model = typename Adapter::Model;

    // The model's own time at a clock edge is the number of the cycle that the edge ends, so that
    // its messages tell cycles. A waveform, whose unit is a picosecond, has cycle n at n nanoseconds.
    static constexpr std::uint64_t kCycleTime = 1000;

    // The calling thread works for this instance while one of these lives.
    class Entered {
    public:
        explicit Entered(ModelInstance& instance) : m_instance{instance} {
            Verilated::threadContextp(instance.m_context.get());
            capture_into(&instance.m_text);
            instance.m_adapter.enter();
        }
        ~Entered() {
            m_instance.m_adapter.leave();
            capture_into(nullptr);
        }
        Entered(const Entered&) = delete;
        Entered& operator=(const Entered&) = delete;

    private:
        ModelInstance& m_instance;
    };

public:
    explicit ModelInstance(const Options& options) {
        const std::lock_guard<std::mutex> lock{making()};
        m_context = std::make_unique<VerilatedContext>();
        const Entered entered{*this};
        m_context->randSeed(options.seed);
        m_context->randReset(options.random_reset);
        m_context->fatalOnError(false);
#if VM_TRACE
        m_context->traceEverOn(true);
#endif
        std::vector<const char*> arguments{"model"};
        for (const std::string& argument : options.plusargs) arguments.push_back(argument.c_str());
        m_context->commandArgs(static_cast<int>(arguments.size()), arguments.data());
        m_model = std::make_unique<Model>(m_context.get(), "TOP");
        Adapter::clock(*m_model, false);
        m_model->eval();
        check();
    }

    ~ModelInstance() override {
        const std::lock_guard<std::mutex> lock{making()};
        try {
            const Entered entered{*this};
            if (!m_final) m_model->final();
#if VM_TRACE
            m_trace.reset();
#endif
            m_model.reset();
        } catch (const std::exception&) {
            // A destructor has nobody to report to; `finish` does the same and reports.
        }
        m_model.reset();
        Verilated::threadContextp(nullptr);
    }

    Shape shape() const override { return Adapter::kShape; }
    std::vector<std::uint32_t> info() const override { return Adapter::info(); }
    std::uint64_t cycles() const override { return m_cycles; }
    void restart_count() override {
        if (tracing()) throw std::runtime_error("cycles cannot be counted anew in a waveform");
        m_cycles = 0;
    }
    bool finished() const override { return m_context->gotFinish(); }

    void cycle(const std::uint32_t* input, const std::uint32_t* bulk_input, std::uint32_t* output,
               std::uint32_t* bulk_output) override {
        if (!m_failure.empty()) throw std::runtime_error(m_failure);
        if (m_final) throw std::runtime_error("the model has been finished");
        const Entered entered{*this};
        try {
            Adapter::drive(*m_model, input, bulk_input);
#if VM_TRACE
            if (m_trace) dump_high();
#endif
            Adapter::clock(*m_model, false);
            m_model->eval();
#if VM_TRACE
            if (m_trace) dump(m_cycles * kCycleTime + kCycleTime / 2);
#endif
            m_context->time(m_cycles);
            ++m_cycles;
            Adapter::clock(*m_model, true);
            m_model->eval();
            check();
        } catch (const std::exception& error) {
            m_failure = error.what();
            throw;
        }
        Adapter::sample(*m_model, output, bulk_output);
    }

    std::string take_output() override { return std::exchange(m_text, std::string{}); }

    std::uint64_t control(std::uint32_t code, std::uint64_t value) override {
        return m_adapter.control(code, value);
    }

#if VM_TRACE
    void trace_open(const std::string& path) override {
        if (m_trace) throw std::runtime_error("a waveform is already open");
        const Entered entered{*this};
        auto trace = std::make_unique<Trace>();
        m_model->trace(&trace->vcd, 99);
        trace->vcd.open(path.c_str());
        trace->file.check();
        m_trace = std::move(trace);
    }
    void trace_flush() override {
        if (!m_trace) return;
        const Entered entered{*this};
        m_trace->vcd.flush();
        m_trace->file.check();
    }
    void trace_close() override {
        if (!m_trace) return;
        const Entered entered{*this};
        m_model->eval();
        m_trace->vcd.dump(m_cycles * kCycleTime);
        m_trace->vcd.close();
        const std::unique_ptr<Trace> trace = std::move(m_trace);
        trace->file.check();
    }
#else
    void trace_open(const std::string&) override {
        throw std::runtime_error("the model was built without waveforms");
    }
    void trace_flush() override {}
    void trace_close() override {}
#endif

#if VM_COVERAGE
    void coverage_write(const std::string& path) override {
        const Entered entered{*this};
        m_context->coveragep()->write(path);
        check();
    }
#else
    void coverage_write(const std::string&) override {
        throw std::runtime_error("the model was built without coverage");
    }
#endif

    void finish() override {
        if (m_final) return;
        const Entered entered{*this};
        m_final = true;
        m_model->final();
        check();
    }

private:
    bool tracing() const {
#if VM_TRACE
        return m_trace != nullptr;
#else
        return false;
#endif
    }

    // What was printed, less the lines that only say that the model stops, and no line break at the
    // end. Verilator prints such a line after each reason.
    static std::string reasons(const std::string& printed) {
        static const std::string kStop = ": Verilog $stop";
        std::string kept;
        for (std::size_t from = 0; from < printed.size();) {
            const std::size_t end = std::min(printed.find('\n', from), printed.size());
            const std::string line = printed.substr(from, end - from);
            const bool stop = line.size() >= kStop.size()
                              && line.compare(line.size() - kStop.size(), kStop.size(), kStop) == 0;
            if (!line.empty() && !stop) kept += (kept.empty() ? "" : "\n") + line;
            from = end + 1;
        }
        if (!kept.empty()) return kept;
        return printed.substr(0, printed.find_last_not_of('\n') + 1);
    }

    // Throws if the model has failed, with what it printed.
    void check() {
        if (VL_LIKELY(!m_context->gotError())) return;
        const std::string text = reasons(std::exchange(m_text, std::string{}));
        throw std::runtime_error(text.empty() ? std::string{"the model stopped with an error"}
                                              : text);
    }

#if VM_TRACE
    struct Trace {
        VcdFile file;
        VerilatedVcdC vcd{&file};
    };

    // The first half of a cycle: registers after the edge together with this cycle's inputs.
    void dump_high() {
        m_model->eval();
        dump(m_cycles * kCycleTime);
    }
    void dump(std::uint64_t time) {
        m_trace->vcd.dump(time);
        m_trace->file.check();
    }

    std::unique_ptr<Trace> m_trace;
#endif
    std::unique_ptr<VerilatedContext> m_context;
    std::unique_ptr<Model> m_model;
    Adapter m_adapter;
    std::string m_text;
    std::string m_failure;
    std::uint64_t m_cycles = 0;
    bool m_final = false;
};

}  // namespace verilated_runtime

#define VERILATED_RUNTIME_MODEL(ADAPTER)                                                          \
    extern "C" __attribute__((visibility("default"))) verilated_runtime::Instance*                \
    VERILATED_RUNTIME_FACTORY(const verilated_runtime::Options& options) {                        \
        return new verilated_runtime::ModelInstance<ADAPTER>(options);                            \
    }

#endif
