//! The approximate functions against the host's double-precision library, within stated bounds.

use heddle_isa::{Alu, Mods, Type};

use crate::harness::{Random, alu, batch};

/// Distance of `actual` from `exact` in units of the last place of a single-precision result.
fn ulps(actual: f32, exact: f64) -> f64 {
    let exponent = exact.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor();
    (f64::from(actual) - exact).abs() / (exponent - 23.0).exp2()
}

fn compare(op: Alu, arity: usize, exact: impl Fn(&[f64]) -> f64, near: impl Fn(f32, f64, &[f64]) -> bool) {
    let mut random = Random::new(21);
    let mods = Mods { approx: true, ..Mods::default() };
    let types = vec![Type::F32; arity];
    let mut finite = 0;
    for _ in 0..400 {
        let b = batch(&mut random, &alu(op, Type::F32, mods), &types);
        for lane in 0..32 {
            let x: Vec<f64> = b.operands.iter().map(|o| f64::from(f32::from_bits(o[lane] as u32))).collect();
            let actual = b.outputs.values[0][lane];
            let exact = exact(&x);
            if exact.is_nan() {
                assert_eq!(actual, 0x7fff_ffff, "{op:?} of {x:?}");
                continue;
            }
            let value = f32::from_bits(actual);
            let rounded = exact as f32;
            if rounded.is_infinite() || rounded == 0.0 {
                assert_eq!(actual, rounded.to_bits(), "{op:?} of {x:?}: {value}");
                continue;
            }
            finite += 1;
            assert!(near(value, exact, &x), "{op:?} of {x:?}: {value}, exactly {exact}");
        }
    }
    assert!(finite > 2_000, "{finite} finite cases");
}

/// What the PTX ISA says of `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`: the operand's lower word counts for nothing and
/// the result's is 0, and so are its subnormals.
pub fn of_double_precision_by_the_upper_word() {
    let upper = |bits: u64| f64::from_bits(bits >> 32 << 32);
    let flushed = |x: f64| if x.is_subnormal() { 0.0 * x.signum() } else { x };
    let mods = Mods { approx: true, ftz: true, ..Mods::default() };
    for (op, exact) in [(Alu::Rcp, (|x| 1.0 / x) as fn(f64) -> f64), (Alu::Rsqrt, |x| 1.0 / x.sqrt())] {
        let mut random = Random::new(23);
        let (mut nans, mut flushes) = (0, 0);
        for _ in 0..400 {
            let b = batch(&mut random, &alu(op, Type::F64, mods), &[Type::F64]);
            for lane in 0..32 {
                let x = b.operands[0][lane];
                let found = (b.outputs.values[1][lane], b.outputs.values[0][lane]);
                let result = exact(flushed(upper(x)));
                let expected = if result.is_nan() {
                    0x7fff_ffff
                } else {
                    (flushed(upper(result.to_bits())).to_bits() >> 32) as u32
                };
                assert_eq!(found, (expected, 0), "{op:?} of {x:#018x}");
                nans += u32::from(result.is_nan());
                flushes += u32::from(upper(x).is_subnormal() && result.is_infinite());
            }
        }
        assert!(nans > 0 && flushes > 0, "{op:?}: {nans} NaN, {flushes} subnormals");
    }
}

pub fn within_half_a_unit() {
    let near = |a: f32, e: f64, _: &[f64]| ulps(a, e) <= 0.51;
    compare(Alu::Rcp, 1, |x| 1.0 / x[0], near);
    compare(Alu::Sqrt, 1, |x| x[0].sqrt(), near);
    compare(Alu::Rsqrt, 1, |x| 1.0 / x[0].sqrt(), near);
    compare(Alu::Ex2, 1, |x| x[0].exp2(), near);
    compare(Alu::Lg2, 1, |x| x[0].log2(), near);
    compare(Alu::Tanh, 1, |x| x[0].tanh(), near);
    compare(
        Alu::Div,
        2,
        |x| {
            let huge = x[1].abs() > 2f64.powi(126) && x[1].is_finite();
            match (huge, x[0].is_infinite()) {
                (true, true) => f64::NAN,
                (true, false) if !x[0].is_nan() => 0.0 * x[0].signum() * x[1].signum(),
                _ => x[0] / x[1],
            }
        },
        near,
    );
}

pub fn sine_and_cosine() {
    let near = |a: f32, e: f64, x: &[f64]| {
        // Beyond 100 pi the ISA states no bound; the value still is one of a sine.
        x[0].abs() > 314.0 && a.abs() <= 1.0 || (f64::from(a) - e).abs() <= 2f64.powi(-24)
    };
    let undefined = |f: fn(f64) -> f64| move |x: &[f64]| if x[0].is_infinite() { f64::NAN } else { f(x[0]) };
    compare(Alu::Sin, 1, undefined(f64::sin), near);
    compare(Alu::Cos, 1, undefined(f64::cos), near);
}
