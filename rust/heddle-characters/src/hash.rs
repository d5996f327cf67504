//! Hashes that show whether something has changed.

use sha2::{Digest, Sha256};

/// The first eight bytes of the SHA-256 of all `texts` in turn, in hexadecimal digits.
pub(crate) fn short_hash<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text);
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
