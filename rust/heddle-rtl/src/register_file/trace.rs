//! The waveform of a run.

use std::path::Path;

use heddle_port::DesignError;

use super::RtlRegisterFile;

impl RtlRegisterFile {
    /// Writes every cycle from the current one on into a VCD file. Before the first reset: from the end
    /// of that reset on.
    ///
    /// # Errors
    /// [`DesignError::Rtl`] if the file cannot be made or one is open already.
    pub fn trace_open(&mut self, path: &Path) -> Result<(), DesignError> {
        if self.running {
            let opened = self.instance.trace_open(path);
            return opened.map_err(|e| self.failure(&e));
        }
        self.pending_trace = Some(path.to_owned());
        Ok(())
    }

    /// Writes out what is buffered of the waveform.
    ///
    /// # Errors
    /// [`DesignError::Rtl`] if the file cannot be written.
    pub fn trace_flush(&mut self) -> Result<(), DesignError> {
        let flushed = self.instance.trace_flush();
        flushed.map_err(|e| self.failure(&e))
    }

    /// Ends the waveform, if one is open, with the current cycle.
    ///
    /// # Errors
    /// [`DesignError::Rtl`] if the file cannot be written.
    pub fn trace_close(&mut self) -> Result<(), DesignError> {
        let closed = self.instance.trace_close();
        closed.map_err(|e| self.failure(&e))
    }
}
