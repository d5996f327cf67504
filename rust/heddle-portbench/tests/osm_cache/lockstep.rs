//! RTL and model with the same inputs, cycle by cycle.

use heddle_designs::osm::{CacheEvents, CacheShape, OsmCache, OsmConfig, layout};
use heddle_port::{MemIn, MemoryPort};

use heddle_portbench::shared_cache::{Golden, LaneData, OffChip, Requests, Rng};

use crate::rtl::{RtlCache, RtlOut, event_name};

/// Cycles without an end of anything, after which the caches hang.
const PATIENCE: u64 = 20_000;

/// What a run has compared.
#[derive(Debug)]
pub struct Summary {
    pub cycles: u64,
    pub requests: u64,
    pub words_compared: u64,
    pub lanes_performed: u64,
    pub fetches: u64,
    pub write_backs: u64,
    /// By event; the bits of numbers mean nothing here.
    pub events: [u64; layout::BITS],
}

/// Runs until `requests` requests are taken and answered.
pub fn run(
    rtl: &mut RtlCache,
    shape: CacheShape,
    config: OsmConfig,
    seed: u64,
    requests: u64,
) -> Result<Summary, String> {
    let mut bench = Bench::new(rtl, shape, config, seed);
    let result = bench.random(requests).and_then(|()| bench.drain());
    let cycle = bench.summary.cycles;
    result.map_err(|what| format!("cycle {cycle}: {what}"))?;
    let mut summary = bench.summary;
    summary.words_compared = bench.golden.words_compared;
    summary.lanes_performed = bench.golden.lanes_performed;
    summary.fetches = bench.off_chip.fetches;
    summary.write_backs = bench.off_chip.write_backs;
    Ok(summary)
}

struct Bench<'a> {
    rtl: &'a mut RtlCache,
    model: OsmCache,
    model_out: heddle_port::MemOut,
    current: RtlOut,
    golden: Golden,
    off_chip: OffChip,
    traffic: Requests,
    rng: Rng,
    /// The slowest answer from off chip, and how often it takes a request, out of 100.
    delay: usize,
    open: usize,
    last_answer: u64,
    summary: Summary,
}

impl<'a> Bench<'a> {
    fn new(rtl: &'a mut RtlCache, shape: CacheShape, config: OsmConfig, seed: u64) -> Self {
        let mut model = OsmCache::new(shape, config).expect("a good configuration");
        let model_out = model.reset();
        let current = RtlOut {
            out: model_out,
            events: CacheEvents::default(),
            response_data: [0; 128],
            lower_data: [0; 32],
        };
        Self {
            rtl,
            model,
            model_out,
            current,
            golden: Golden::default(),
            off_chip: OffChip::default(),
            traffic: Requests::new(8 << config.size_log2, shape.unified),
            rng: Rng::new(seed),
            delay: 1,
            open: 100,
            last_answer: 0,
            summary: Summary {
                cycles: 0,
                requests: 0,
                words_compared: 0,
                lanes_performed: 0,
                fetches: 0,
                write_backs: 0,
                events: [0; layout::BITS],
            },
        }
    }

    fn random(&mut self, requests: u64) -> Result<(), String> {
        let (mut answered_before, mut flushed_before) = (0, 0);
        while self.summary.requests < requests {
            if self.summary.requests >= answered_before + 300 {
                answered_before = self.summary.requests;
                self.delay = [1, 20, 60, 2_000][self.rng.below(4)];
                self.open = [100, 100, 60, 10][self.rng.below(4)];
            }
            if self.summary.requests >= flushed_before + 1_500 {
                flushed_before = self.summary.requests;
                self.end_kernel()?;
            }
            let offered = (self.current.out.request_ready && !self.rng.percent(10))
                .then(|| self.traffic.next(&mut self.rng, &self.golden))
                .flatten();
            self.step(offered)?;
        }
        Ok(())
    }

    fn drain(&mut self) -> Result<(), String> {
        self.open = 100;
        while !self.golden.is_empty() || !self.current.out.idle || !self.off_chip.is_empty() {
            self.step(None)?;
        }
        Ok(())
    }

    /// Drops all lines, as at the end of a kernel.
    fn end_kernel(&mut self) -> Result<(), String> {
        self.drain()?;
        self.golden.next_kernel();
        self.off_chip.next_kernel();
        self.cycle(None, true)
    }

    fn step(&mut self, offered: Option<(heddle_port::memory::MemRequest, LaneData)>) -> Result<(), String> {
        self.cycle(offered, false)
    }

    fn cycle(
        &mut self,
        offered: Option<(heddle_port::memory::MemRequest, LaneData)>,
        flush: bool,
    ) -> Result<(), String> {
        let cycle = self.summary.cycles;
        let lower_ready = self.rng.percent(self.open);
        let mut input = MemIn { lower_ready, flush, ..MemIn::default() };
        let mut data = [0; 128];
        if let Some((request, lanes)) = offered {
            input.request = request;
            data = lanes;
            self.golden.accept(&request, &lanes);
            self.summary.requests += 1;
        }
        let mut line = [0; 32];
        if let Some((answer, fetched)) = self.off_chip.answer(cycle, &mut self.rng) {
            input.lower_response = answer;
            line = fetched;
        }
        if self.current.out.lower_request.valid && input.lower_ready {
            let delay = 1 + self.rng.below(self.delay) as u64;
            self.off_chip.take(&self.current.out.lower_request, &self.current.lower_data, cycle, delay)?;
        }
        self.model.step(&input, &mut self.model_out).map_err(|error| error.to_string())?;
        self.current = self.rtl.step(&input, &data, &line)?;
        self.summary.cycles += 1;
        self.compare()?;
        let out = self.current.out;
        if out.performed.valid {
            self.golden.perform(&out.performed)?;
        }
        if out.response.valid {
            self.last_answer = cycle;
            if let Some(slot) = self.golden.respond(&out.response, &self.current.response_data)? {
                self.off_chip.clear(slot);
            }
        }
        if !self.golden.is_empty() && cycle > self.last_answer + PATIENCE {
            return Err(format!("no answer in {PATIENCE} cycles"));
        }
        Ok(())
    }

    /// Every control output of the RTL with the model's.
    fn compare(&mut self) -> Result<(), String> {
        let (rtl, model) = (&self.current.out, &self.model_out);
        let differ = |name: &str, rtl: &dyn std::fmt::Debug, model: &dyn std::fmt::Debug| {
            Err(format!("{name}: RTL {rtl:?}, model {model:?}"))
        };
        if rtl.request_ready != model.request_ready {
            return differ("request_ready", &rtl.request_ready, &model.request_ready);
        }
        if rtl.response.valid != model.response.valid
            || (rtl.response.valid && rtl.response != model.response)
        {
            return differ("response", &rtl.response, &model.response);
        }
        if rtl.performed.valid != model.performed.valid
            || (rtl.performed.valid && rtl.performed != model.performed)
        {
            return differ("performed", &rtl.performed, &model.performed);
        }
        let (a, b) = (&rtl.lower_request, &model.lower_request);
        if a.valid != b.valid || (a.valid && a != b) {
            return differ("lower_request", a, b);
        }
        if rtl.idle != model.idle {
            return differ("idle", &rtl.idle, &model.idle);
        }
        let events = self.model.events();
        if self.current.events != *events {
            let bit = (0..layout::BITS)
                .find(|bit| (self.current.events[bit / 32] ^ events[bit / 32]) >> (bit % 32) & 1 != 0);
            let name = bit.map_or("none", event_name);
            return Err(format!("events.{name}: RTL {:08x?}, model {events:08x?}", self.current.events));
        }
        for (bit, count) in self.summary.events.iter_mut().enumerate() {
            *count += u64::from(events[bit / 32] >> (bit % 32) & 1);
        }
        Ok(())
    }
}
