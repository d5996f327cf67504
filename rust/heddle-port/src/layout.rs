//! The build-time check that this crate and `heddle_port_pkg.sv` say the same.

use crate::bits::{FieldLayout, PortStruct};
use crate::{memory, register};

mod sv {
    //! What the build script read from the SystemVerilog package.
    use crate::bits::FieldLayout;
    include!(concat!(env!("OUT_DIR"), "/sv_layout.rs"));
}

const fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

const fn find(name: &str) -> Option<&'static [FieldLayout]> {
    let mut i = 0;
    while i < sv::STRUCTS.len() {
        if same_text(sv::STRUCTS[i].0, name) {
            return Some(sv::STRUCTS[i].1);
        }
        i += 1;
    }
    None
}

const fn same(name: &str, rust: &[FieldLayout]) -> bool {
    let Some(sv) = find(name) else { return false };
    if sv.len() != rust.len() {
        return false;
    }
    let mut i = 0;
    while i < sv.len() {
        let equal = same_text(sv[i].name, rust[i].name)
            && sv[i].elements == rust[i].elements
            && sv[i].width == rust[i].width;
        if !equal {
            return false;
        }
        i += 1;
    }
    true
}

macro_rules! check_structs {
    ($($ty:ty),* $(,)?) => {
        $(const _: () = assert!(
            same(<$ty as PortStruct>::SV_NAME, <$ty as PortStruct>::FIELDS),
            concat!(
                "the fields of ", stringify!($ty),
                " differ from its struct in rtl/common/heddle_port_pkg.sv (names, order, elements or widths)"
            )
        );)*
        const RUST_STRUCTS: usize = [$(<$ty as PortStruct>::SV_NAME),*].len();
    };
}

check_structs!(
    register::PortConfig,
    register::Issue,
    register::Operands,
    register::ResultWrite,
    register::Command,
    register::Done,
    register::Status,
    memory::MemRequest,
    memory::MemResponse,
    memory::MemPerformed,
    memory::MemLowerRequest,
    memory::MemLowerResponse,
);
const _: () = assert!(
    RUST_STRUCTS == sv::STRUCTS.len(),
    "rtl/common/heddle_port_pkg.sv has a struct that heddle-port lacks"
);

macro_rules! check_parameters {
    ($($rust:ident = $sv:ident),* $(,)?) => {
        $(const _: () = assert!(
            crate::$rust as u64 == sv::$sv,
            concat!(stringify!($rust), " differs from ", stringify!($sv), " in rtl/common/heddle_port_pkg.sv")
        );)*
    };
}

check_parameters!(
    PORT_VERSION = PortVersion,
    NUM_LANES = NumLanes,
    LANE_BITS = LaneBits,
    NUM_WARPS = NumWarps,
    WARP_BITS = WarpBits,
    REG_BITS = RegBits,
    NUM_REGS = NumRegs,
    TAG_BITS = TagBits,
    NUM_SOURCES = NumSources,
    NUM_DESTINATIONS = NumDestinations,
    INTERVAL_BITS = IntervalBits,
    EVENT_BITS = MaxEventBits,
    DESIGN_WORDS = DesignWords,
    MAX_BANKS = MaxBanks,
    CTA_SLOT_BITS = CtaSlotBits,
    LOWER_ID_BITS = LowerIdBits,
    LINE_BYTES = LineBytes,
);

const _: () = assert!(sv::EventBits <= sv::MaxEventBits, "EventBits is at most MaxEventBits");
const _: () = assert!(crate::NUM_REGS as u64 / 32 == sv::VectorWords, "VectorWords is NumRegs / 32");
const _: () = assert!(crate::MAX_BANKS as u64 / 32 == sv::BankWords, "BankWords is MaxBanks / 32");
const _: () = assert!(crate::LINE_BYTES as u64 / 32 == sv::LineWords, "LineWords is LineBytes / 32");

const _: () = {
    use register::CommandOp as Op;
    assert!(Op::KernelStart as u64 == sv::CmdKernelStart);
    assert!(Op::WarpBase as u64 == sv::CmdWarpBase);
    assert!(Op::MapEntry as u64 == sv::CmdMapEntry);
    assert!(Op::Activate as u64 == sv::CmdActivate);
    assert!(Op::Deactivate as u64 == sv::CmdDeactivate);
    assert!(Op::Exit as u64 == sv::CmdExit);
    assert!(Op::Prefetch as u64 == sv::CmdPrefetch);
};

const _: () = {
    use memory::MemSpace as Space;
    assert!(Space::Global as u64 == sv::MemGlobal);
    assert!(Space::Local as u64 == sv::MemLocal);
    assert!(Space::Shared as u64 == sv::MemShared);
};

const _: () = {
    use memory::MemKind as Kind;
    assert!(Kind::Read as u64 == sv::MemRead);
    assert!(Kind::Write as u64 == sv::MemWrite);
    assert!(Kind::Atomic as u64 == sv::MemAtomic);
    assert!(Kind::Fence as u64 == sv::MemFence);
};

const _: () = {
    use memory::MemOutcome as Outcome;
    assert!(Outcome::Hit as u64 == sv::MemHit);
    assert!(Outcome::Miss as u64 == sv::MemMiss);
    assert!(Outcome::Merged as u64 == sv::MemMerged);
    assert!(Outcome::Bypassed as u64 == sv::MemBypassed);
};

const _: () = {
    use memory::LowerKind as Kind;
    assert!(Kind::Fill as u64 == sv::LowerFill);
    assert!(Kind::WriteBack as u64 == sv::LowerWriteBack);
    assert!(Kind::BypassRead as u64 == sv::LowerBypassRead);
    assert!(Kind::BypassWrite as u64 == sv::LowerBypassWrite);
    assert!(Kind::Atomic as u64 == sv::LowerAtomic);
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::{Command, Issue};

    #[test]
    fn every_bit_of_a_struct_survives_packing() {
        for bit in 0..Issue::BITS {
            let mut words = vec![0u32; Issue::BITS.div_ceil(32) + 2];
            crate::bits::put_bits(&mut words, bit + 5, 1, 1);
            let value = Issue::get(&words, 5);
            let mut again = vec![0u32; words.len()];
            value.put(&mut again, 5);
            assert_eq!(words, again, "bit {bit}");
        }
    }

    #[test]
    fn the_first_field_is_the_most_significant() {
        let mut words = vec![0u32; Command::BITS.div_ceil(32)];
        Command { valid: true, ..Command::default() }.put(&mut words, 0);
        assert_eq!(crate::bits::get_bits(&words, Command::BITS - 1, 1), 1);
    }

    #[test]
    fn a_difference_names_field_and_element() {
        let a = Issue::default();
        let b = Issue { source: [0, 0, 7, 0, 0, 0], ..a };
        assert_eq!(a.first_difference(&b), Some(("source", 2)));
        assert_eq!(a.first_difference(&a), None);
        let texts = [("source", 2), ("source", 0), ("mask", 0), ("source", 6), ("gone", 0)];
        let texts = texts.map(|(name, element)| b.text_of(name, element));
        let expected = [Some("7"), Some("0"), Some("0x0"), None, None];
        assert_eq!(texts.each_ref().map(Option::as_deref), expected);
    }
}
