//! Requests at the memory port of an SM.

use heddle_port::memory::{MemRequest, MemResponse};

/// Part and lanes of a request that are not yet answered.
type Open = (u8, u32);

/// Requests by tag: each lane of each is answered once.
#[derive(Debug, Clone, Default)]
pub struct Requests {
    by_tag: Vec<Vec<Open>>,
    open: usize,
    broken: Option<String>,
}

impl Requests {
    /// The first event that broke a rule.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    #[cold]
    fn breaks(&mut self, what: String) {
        self.broken.get_or_insert(what);
    }

    /// The port takes a request.
    pub fn begins(&mut self, request: &MemRequest) {
        let tag = usize::from(request.tag);
        if self.by_tag.len() <= tag {
            self.by_tag.resize(tag + 1, Vec::new());
        }
        self.by_tag[tag].push((request.part, request.mask));
        self.open += 1;
    }

    /// The port answers lanes of a request.
    pub fn ends(&mut self, response: &MemResponse) {
        let MemResponse { tag, part, mask, .. } = *response;
        let of_tag = self.by_tag.get_mut(usize::from(tag));
        let has = |open: &Open| open.0 == part && open.1 & mask == mask && (mask != 0 || open.1 == 0);
        let Some((of_tag, at)) = of_tag.and_then(|open| open.iter().position(has).map(|at| (open, at)))
        else {
            let what =
                format!("lanes {mask:#010x} of part {part} of T{tag} are answered, which nothing waits for");
            return self.breaks(what);
        };
        of_tag[at].1 &= !mask;
        if of_tag[at].1 == 0 {
            of_tag.swap_remove(at);
            self.open -= 1;
        }
    }

    /// The port says that nothing is under way.
    pub fn at_rest(&mut self) {
        if self.open == 0 {
            return;
        }
        let tag = self.by_tag.iter().position(|open| !open.is_empty()).unwrap_or_default();
        let (part, mask) = self.by_tag[tag].first().copied().unwrap_or_default();
        self.breaks(format!(
            "lanes {mask:#010x} of part {part} of T{tag} were never answered, and nothing is under way"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::{MemRequest, MemResponse, Requests};

    fn request(tag: u16, part: u8, mask: u32) -> MemRequest {
        MemRequest { valid: true, tag, part, mask, ..MemRequest::default() }
    }

    fn response(tag: u16, part: u8, mask: u32) -> MemResponse {
        MemResponse { valid: true, tag, part, mask, ..MemResponse::default() }
    }

    /// What is broken, and by which events.
    type Case<'a> = (&'a str, &'a dyn Fn(&mut Requests));

    fn broken(events: impl Fn(&mut Requests)) -> Option<String> {
        let mut requests = Requests::default();
        events(&mut requests);
        requests.broken().map(str::to_owned)
    }

    #[test]
    fn each_rule_is_seen_to_break() {
        let fine = broken(|r| {
            r.begins(&request(3, 0, 0xF0));
            r.begins(&request(3, 0, 0x0F));
            r.begins(&request(3, 1, 0xF0));
            r.begins(&request(4, 0, 0));
            r.ends(&response(3, 0, 0x30));
            r.ends(&response(3, 1, 0xF0));
            r.ends(&response(3, 0, 0xC0));
            r.ends(&response(3, 0, 0x0F));
            r.ends(&response(4, 0, 0));
            r.at_rest();
        });
        assert_eq!(fine, None);
        let cases: [Case<'_>; 5] = [
            ("which nothing waits for", &|r| r.ends(&response(3, 0, 1))),
            ("lanes 0x00000001 of part 1 of T3 are answered", &|r| {
                r.begins(&request(3, 0, 1));
                r.ends(&response(3, 1, 1));
            }),
            ("lanes 0x00000003 of part 0", &|r| {
                r.begins(&request(3, 0, 1));
                r.ends(&response(3, 0, 3));
            }),
            ("lanes 0x00000001 of part 0", &|r| {
                r.begins(&request(3, 0, 3));
                (0..2).for_each(|_| r.ends(&response(3, 0, 1)));
            }),
            ("lanes 0x00000002 of part 0 of T3 were never answered", &|r| {
                r.begins(&request(3, 0, 3));
                r.ends(&response(3, 0, 1));
                r.at_rest();
            }),
        ];
        for (what, events) in cases {
            let found = broken(events).unwrap_or_else(|| panic!("nothing breaks: {what}"));
            assert!(found.contains(what), "{what}: {found}");
        }
    }
}
