//! Accesses as they are performed.

use heddle_cosim::Check;
use heddle_sm::PerformedEvent;

use super::fault::{Data, Deed, Fault};
use super::machine::{found, found_at_once};

fn access(change: fn(&mut PerformedEvent<'_>, &mut Data) -> Deed) -> Fault {
    Fault::Performed(change)
}

/// A global access that is no texture fetch.
fn is_global(e: &PerformedEvent<'_>) -> bool {
    e.shared.is_empty() && e.local.is_empty() && e.texels.is_none()
}

#[test]
fn another_address_is_found() {
    let fault = access(|e, data| {
        if !is_global(e) || e.lanes.0 >> 3 & 1 == 0 {
            return Deed::Wait;
        }
        data.addresses[3] += 4;
        Deed::Change
    });
    found_at_once(fault, Check::Memory, "accesses another address", "address");
}

#[test]
fn another_space_is_found() {
    let shared = access(|e, _| {
        if e.shared.is_empty() {
            return Deed::Wait;
        }
        e.shared.0 &= !(1 << 4);
        Deed::Change
    });
    found_at_once(shared, Check::Memory, "accesses another address", "space");
    let local = access(|e, _| {
        if e.local.is_empty() {
            return Deed::Wait;
        }
        e.local.0 &= !(1 << 4);
        Deed::Change
    });
    found_at_once(local, Check::Memory, "accesses another address", "space");
}

#[test]
fn lanes_that_are_left_out_are_found() {
    let fault = access(|e, _| {
        e.lanes.0 &= !1;
        e.shared.0 &= !1;
        e.local.0 &= !1;
        Deed::Change
    });
    found(fault, Check::Memory, "retired while lanes");
}

#[test]
fn lanes_that_do_not_access_are_found() {
    let fault = access(|e, _| {
        let idle = !e.lanes.0;
        e.lanes.0 |= idle & idle.wrapping_neg();
        if idle == 0 { Deed::Wait } else { Deed::Change }
    });
    found_at_once(fault, Check::Memory, "do not access memory", "");
}

#[test]
fn an_access_that_is_performed_twice_is_found() {
    found_at_once(access(|_, _| Deed::Repeat), Check::Memory, "were performed before", "");
}

#[test]
fn another_number_of_elements_is_found() {
    let fewer = access(|e, _| {
        if e.stored_elements != 2 {
            return Deed::Wait;
        }
        e.stored_elements = 1;
        Deed::Change
    });
    found_at_once(fewer, Check::Memory, "stores another number of elements", "elements");
    let a_load = access(|e, _| {
        if e.stored_elements != 0 {
            return Deed::Wait;
        }
        e.stored_elements = 1;
        Deed::Change
    });
    found_at_once(a_load, Check::Memory, "stores another number of elements", "elements");
}

#[test]
fn a_wrong_stored_value_is_found() {
    let fault = access(|e, data| {
        if e.stored_elements != 2 {
            return Deed::Wait;
        }
        data.stored[1][6] ^= 1;
        Deed::Change
    });
    found_at_once(fault, Check::Memory, "stores another value (element 1)", "lane 6");
}

#[test]
fn a_wrong_loaded_value_is_found() {
    let fault = access(|e, data| {
        if !is_global(e) || e.stored_elements != 0 || e.lanes.0 >> 10 & 1 == 0 {
            return Deed::Wait;
        }
        data.loaded[0][10] ^= 0x8000_0000;
        Deed::Change
    });
    found_at_once(fault, Check::Memory, "loads another value (destination 0)", "lane 10");
}

#[test]
fn other_texels_are_found() {
    let address = access(|_, data| match &mut data.texels {
        Some(texels) => {
            texels.addresses[3][8] += 4;
            Deed::Change
        }
        None => Deed::Wait,
    });
    found_at_once(address, Check::Memory, "reads other texels", "texels");
    let fewer = access(|_, data| match &mut data.texels {
        Some(texels) => {
            texels.count[8] -= 1;
            Deed::Change
        }
        None => Deed::Wait,
    });
    found_at_once(fewer, Check::Memory, "reads other texels", "texels");
    let size = access(|_, data| match &mut data.texels {
        Some(texels) => {
            texels.bytes[8] = 2;
            Deed::Change
        }
        None => Deed::Wait,
    });
    found_at_once(size, Check::Memory, "reads other texels", "texels");
    let none = access(|_, data| if data.texels.take().is_some() { Deed::Change } else { Deed::Wait });
    found_at_once(none, Check::Memory, "reads other texels", "texels");
}
