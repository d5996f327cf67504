//! Sees what the CTAs of one SM write.

use heddle_mem::kind;
use heddle_sm::{Observer, PerformedEvent, Stop};

use super::written::Written;

/// Bytes of global memory that the CTAs of one SM wrote in a launch; by default nothing is kept.
#[derive(Debug, Default)]
pub struct SmWrites(Option<Written>);

impl SmWrites {
    /// Nothing yet, and all that comes is kept.
    pub fn kept() -> Self {
        Self(Some(Written::default()))
    }

    /// The addresses, where they are kept.
    pub(super) fn written(&self) -> Option<&Written> {
        self.0.as_ref()
    }
}

impl Observer for SmWrites {
    #[inline]
    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        match &mut self.0 {
            Some(written) => written.performed(event),
            None => Ok(()),
        }
    }
}

impl Observer for Written {
    #[inline]
    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        if event.kind != kind::READ {
            let global = event.lanes & !event.shared & !event.local;
            self.mark(global, event.addresses, event.bytes);
        }
        Ok(())
    }
}
