//! The last writer of a word that is wrong at the end.

use heddle_cosim::{Check, Engine, RunError};

use super::kernel::Order;
use super::suite;

#[test]
fn the_last_writer_of_a_word_that_is_not_the_references_is_named() {
    // Eight warps take a ticket each.
    let kernel = Order { expected: Some(vec![9, 0]), ..suite::ticket(2) };
    let Err(RunError::Mismatch(mismatch)) = kernel.run("baseline", Engine::Cosim) else {
        panic!("it passes")
    };
    assert_eq!(mismatch.check, Check::Reference, "{mismatch}");
    let writer = mismatch.notes.iter().find(|note| note.contains("was last written")).expect("a note");
    assert!(writer.contains(" in launch 0, cycle ") && writer.contains(", by CTA 0, warp slot "), "{writer}");
    assert!(writer.contains("ticket.ptx:32:") && writer.contains("atom.global.add.u32"), "{writer}");
}
