//! The result queues, as in `result_router.sv`.

use super::control_block::ControlBlocks;
use super::engine::{Engine, Grants};
use super::{NUM_MAIN_BANKS, NUM_SLOTS};
use heddle_port::{MAX_PORT_WIDTH, ResultWrite};

/// Results that one port holds.
pub const QUEUE_DEPTH: usize = 4;

/// One accepted result.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    warp: u8,
    register: u8,
    /// Warp register: base of the warp + register.
    index: u16,
    /// Bits of older results of the same register in other queues.
    after: u16,
    /// Where it goes, once located: into the cache or not, and which bank.
    hit: bool,
    cache_bank: u8,
    /// Slot of a hit.
    slot: u8,
}

#[derive(Debug, Clone, Copy, Default)]
struct Queue {
    entries: [Entry; QUEUE_DEPTH],
    head: usize,
    count: usize,
    located: usize,
}

impl Queue {
    /// The `n`-th oldest entry's place.
    #[inline]
    fn place(&self, n: usize) -> usize {
        (self.head + n) % QUEUE_DEPTH
    }
}

/// All result queues.
#[derive(Debug, Clone)]
pub struct Results {
    width: usize,
    queues: [Queue; MAX_PORT_WIDTH],
    turn: usize,
    /// Results in all queues.
    total: usize,
}

/// Which heads leave in a cycle, one bit a port.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sent {
    /// To the cache.
    pub to_cache: u32,
    /// To the main register file.
    pub to_main: u32,
    /// Cache banks written.
    pub cache_banks: u16,
    /// Main banks whose inbound lane is taken.
    pub main_banks: u16,
    /// Row for each main bank of `main_banks`.
    pub rows: [u16; NUM_MAIN_BANKS],
}

/// What is looked up in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct LookedUp {
    /// Result ports that look up, one bit each.
    pub ports: u32,
    /// Cache banks of each slot in which a result has been located.
    pub hits: [u16; NUM_SLOTS],
}

impl Sent {
    /// Ports whose head leaves.
    #[inline]
    #[must_use]
    pub fn ports(&self) -> u32 {
        self.to_cache | self.to_main
    }
}

impl Results {
    /// Empty queues of `width` ports.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { width, queues: Default::default(), turn: 0, total: 0 }
    }

    /// Whether port `port` can take a result.
    #[inline]
    #[must_use]
    pub fn ready(&self, port: usize) -> bool {
        self.queues[port].count < QUEUE_DEPTH
    }

    /// Whether a result of the warp is queued.
    #[must_use]
    pub fn holds_warp(&self, warp: u8) -> bool {
        self.total != 0
            && self.queues[..self.width]
                .iter()
                .any(|q| (0..q.count).any(|n| q.entries[q.place(n)].warp == warp))
    }

    /// Whether a result of the register is queued and does not leave in this cycle.
    #[inline]
    #[must_use]
    pub fn blocks(&self, warp: u8, register: u8, sent: &Sent) -> bool {
        self.total != 0
            && self.queues[..self.width].iter().enumerate().any(|(port, q)| {
                let first = (sent.ports() >> port & 1) as usize;
                (first..q.count).any(|n| {
                    let entry = &q.entries[q.place(n)];
                    entry.warp == warp && entry.register == register
                })
            })
    }

    /// The located results.
    fn located(&self) -> impl Iterator<Item = &Entry> {
        let queues = if self.total == 0 { &[] } else { &self.queues[..self.width] };
        queues.iter().flat_map(|q| (0..q.located).map(|n| &q.entries[q.place(n)]))
    }

    /// Cache banks of each slot whose register has a located result: it stays in the cache.
    #[must_use]
    pub fn pinned_in_cache(&self) -> [u16; NUM_SLOTS] {
        let mut pinned = [0; NUM_SLOTS];
        for entry in self.located().filter(|entry| entry.hit) {
            pinned[usize::from(entry.slot)] |= 1 << entry.cache_bank;
        }
        pinned
    }

    /// Whether warp register `index` has a located result on its way to the main register file: it stays
    /// there.
    #[inline]
    #[must_use]
    pub fn pins_in_main(&self, index: u16) -> bool {
        self.located().any(|entry| !entry.hit && entry.index == index)
    }

    /// Which heads leave, when the cache banks `filled` and the lanes `lanes_busy` are taken.
    #[inline]
    #[must_use]
    pub fn send(&self, filled: u16, lanes_busy: u16) -> Sent {
        let mut sent = Sent::default();
        if self.total == 0 {
            return sent;
        }
        let (mut cache_taken, mut lanes_taken) = (filled, lanes_busy);
        for k in 0..self.width {
            let port = (self.turn + k) % self.width;
            let q = &self.queues[port];
            if q.located == 0 {
                continue;
            }
            let entry = &q.entries[q.head];
            if entry.hit {
                let bank = 1 << entry.cache_bank;
                if cache_taken & bank == 0 {
                    cache_taken |= bank;
                    sent.to_cache |= 1 << port;
                    sent.cache_banks |= bank;
                }
            } else {
                let bank = usize::from(entry.index % 16);
                if lanes_taken >> bank & 1 == 0 {
                    lanes_taken |= 1 << bank;
                    sent.to_main |= 1 << port;
                    sent.main_banks |= 1 << bank;
                    sent.rows[bank] = entry.index / 16;
                }
            }
        }
        sent
    }

    /// Ports that do not send their head away.
    #[inline]
    #[must_use]
    pub fn waiting(&self, sent: &Sent) -> u32 {
        if self.total == 0 {
            return 0;
        }
        (0..self.width).fold(0, |mask, port| mask | u32::from(self.queues[port].count != 0) << port)
            & !sent.ports()
    }

    /// The clock edge: looks results up, takes away what was sent; returns what was looked up.
    /// `coming` says whether a warp register is on its way to the cache, `engine` where a register is that is
    /// there, `grants` which of these leave.
    pub fn tick(
        &mut self,
        sent: &Sent,
        blocks: &ControlBlocks,
        engine: &Engine,
        grants: &Grants,
        coming: impl Fn(u16) -> bool,
    ) -> LookedUp {
        let mut looked_up = LookedUp::default();
        self.turn = (self.turn + 1) % self.width;
        if self.total == 0 {
            return looked_up;
        }
        let mut left = 0u16;
        for (port, q) in self.queues[..self.width].iter_mut().enumerate() {
            if q.located != q.count {
                let place = q.place(q.located);
                let entry = &mut q.entries[place];
                if entry.after == 0 {
                    looked_up.ports |= 1 << port;
                    let valid = blocks.is_valid(entry.warp, entry.register);
                    let slot = blocks.offset(entry.warp);
                    let bank = engine.place(slot, entry.index).filter(|_| valid);
                    let leaves = bank.is_some_and(|bank| grants.writes_back(bank, slot));
                    if !leaves && !coming(entry.index) {
                        entry.hit = valid;
                        (entry.cache_bank, entry.slot) = (bank.unwrap_or_default(), slot);
                        q.located += 1;
                        looked_up.hits[usize::from(entry.slot)] |= u16::from(valid) << entry.cache_bank;
                    }
                }
            }
            if sent.ports() >> port & 1 != 0 {
                left |= 1 << (port * QUEUE_DEPTH + q.head);
                q.head = (q.head + 1) % QUEUE_DEPTH;
                q.count -= 1;
                q.located -= 1;
                self.total -= 1;
            }
        }
        if left != 0 {
            for q in &mut self.queues[..self.width] {
                for entry in &mut q.entries {
                    entry.after &= !left;
                }
            }
        }
        looked_up
    }

    /// Takes the accepted results of a cycle, with the warp registers that they write, after
    /// [`Self::tick`].
    pub fn accept(&mut self, results: &[Option<(ResultWrite, u16)>]) {
        let mut after = [0u16; MAX_PORT_WIDTH];
        for (port, result) in results.iter().enumerate() {
            if let Some((result, _)) = result {
                after[port] = self.older(port, result);
            }
        }
        for (port, result) in results.iter().enumerate() {
            let Some((result, index)) = result else { continue };
            let q = &mut self.queues[port];
            debug_assert!(q.count < QUEUE_DEPTH, "result queue {port} is full");
            let place = q.place(q.count);
            q.entries[place] = Entry {
                warp: result.warp,
                register: result.register,
                index: *index,
                after: after[port],
                hit: false,
                cache_bank: 0,
                slot: 0,
            };
            q.count += 1;
            self.total += 1;
        }
    }

    /// Bits of the results of the same register in the queues of other ports.
    fn older(&self, port: usize, result: &ResultWrite) -> u16 {
        let mut bits = 0;
        for (other, q) in self.queues[..self.width].iter().enumerate() {
            if other == port {
                continue;
            }
            for place in (0..q.count).map(|n| q.place(n)) {
                let entry = &q.entries[place];
                if entry.warp == result.warp && entry.register == result.register {
                    bits |= 1 << (other * QUEUE_DEPTH + place);
                }
            }
        }
        bits
    }
}
