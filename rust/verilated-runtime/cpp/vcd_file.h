// A VCD file whose errors are kept instead of ending the process.
#ifndef VERILATED_RUNTIME_VCD_FILE_H_
#define VERILATED_RUNTIME_VCD_FILE_H_

#include "verilated_vcd_c.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace verilated_runtime {

class VcdFile final : public VerilatedVcdFile {
public:
    ~VcdFile() override { close(); }
    bool open(const std::string& name) override {
        m_name = name;
        m_fd = ::open(name.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0666);
        if (m_fd < 0) m_error = errno;
        return m_fd >= 0;
    }
    void close() override {
        if (m_fd >= 0 && ::close(m_fd) != 0 && m_error == 0) m_error = errno;
        m_fd = -1;
    }
    // Reports success to the tracer even after an error, so that it does not end the process;
    // `check` tells.
    ssize_t write(const char* data, ssize_t length) override {
        if (m_error != 0) return length;
        const ssize_t written = ::write(m_fd, data, static_cast<std::size_t>(length));
        if (written >= 0) return written;
        if (errno == EINTR || errno == EAGAIN) return written;
        m_error = errno;
        return length;
    }
    // Throws if an operation has failed since the file was opened.
    void check() const {
        if (m_error != 0) {
            throw std::runtime_error("cannot write the waveform " + m_name + ": "
                                     + std::strerror(m_error));
        }
    }

private:
    std::string m_name;
    int m_fd = -1;
    int m_error = 0;
};

}  // namespace verilated_runtime

#endif
