//! Reading a large trace takes memory for one CTA, not for the trace.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use heddle_trace::{AddressMap, TracedKernel};

/// Counts what is allocated, and the most of it at once.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that reading and replaying may have allocated at once.
const BOUND: usize = 4 << 20;
/// CTAs of the trace.
const CTAS: u32 = 2000;
/// Loads of each.
const LOADS: u32 = 400;

#[test]
fn memory_does_not_grow_with_the_trace() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("large.traceg");
    let mut file = BufWriter::new(std::fs::File::create(&path).expect("writable"));
    let put = |file: &mut BufWriter<_>, text: &str| file.write_all(text.as_bytes()).expect("writable");
    put(
        &mut file,
        &format!(
            "-kernel name = large\n-grid dim = ({CTAS},1,1)\n-block dim = (32,1,1)\n-nregs = 8\n\
             -binary version = 75\n-accelsim tracer version = 3\n#\n"
        ),
    );
    for cta in 0..CTAS {
        put(&mut file, &format!("#BEGIN_TB\nthread block = {cta},0,0\nwarp = 0\ninsts = {}\n", LOADS + 1));
        for load in 0..LOADS {
            let base = 0x7f00_0000_0000u64 + u64::from(load) * 4096;
            put(&mut file, &format!("{:04x} ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 {base:#018x} 4\n", load * 16));
        }
        put(&mut file, "ffff0 ffffffff 0 EXIT 0 0\n#END_TB\n");
    }
    drop(file);
    let bytes = std::fs::metadata(&path).expect("written").len() as usize;
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let kernel = TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true).expect("good");
    let mut replay = kernel.replay().expect("good");
    for cta in 0..u64::from(CTAS) {
        assert_eq!(replay.cta(cta).expect("good").warps[0].steps.len(), LOADS as usize + 1);
    }
    let most = MOST.load(Ordering::Relaxed) - before;
    println!("{bytes} bytes of trace, at most {most} bytes allocated");
    assert!(bytes > 10 * BOUND, "the trace has only {bytes} bytes");
    assert!(most < BOUND, "{most} bytes at once for a trace of {bytes} bytes");

    // A count that nothing stands behind allocates nothing.
    let text = std::fs::read_to_string(&path).expect("written");
    let end = text.find("0010 ").expect("a second instruction");
    let huge = text[..end].replace("insts = 401", "insts = 18446744073709551615");
    std::fs::write(&path, huge).expect("writable");
    drop(text);
    MOST.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
    let before = NOW.load(Ordering::Relaxed);
    let error = TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true);
    assert!(error.expect_err("it ends early").to_string().contains("the end of the file"));
    assert!(MOST.load(Ordering::Relaxed) - before < BOUND);

    // What stands between the fields of many instructions is not kept.
    let (loads, spaces) = (700, " ".repeat(60_000));
    let mut wide = format!(
        "-kernel name = wide\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 8\n-binary version = 75\n\
         -accelsim tracer version = 3\n#\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = {}\n",
        loads + 1
    );
    for load in 0..loads {
        wide += &format!("{:04x} ffffffff 1 R4{spaces} LDG.E.SYS 1 R2 4 1 0x7f0000000000 4\n", load * 16);
    }
    std::fs::write(&path, wide + "ffff0 ffffffff 0 EXIT 0 0\n#END_TB\n").expect("writable");
    MOST.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
    let before = NOW.load(Ordering::Relaxed);
    let kernel = TracedKernel::read(&path, &mut Arc::new(AddressMap::default()), &mut || true).expect("good");
    kernel.replay().and_then(|mut replay| replay.cta(0)).expect("good");
    assert!(MOST.load(Ordering::Relaxed) - before < BOUND);
}
