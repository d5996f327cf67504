//! Functions that are compiled twice: for the least processor, and for one with AVX2 and fused
//! multiply-add, chosen at run time. Both give the same bits: the operations are exact or round once.

/// Whether the processor has the instructions of the second form.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn has_vectors() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

/// Defines `$name`, which does what `$lanes` does with the best instructions of the processor. What is to
/// profit from them is `#[inline(always)]`, `$lanes` first of all.
macro_rules! compiled_twice {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty = $lanes:path;) => {
        $(#[$meta])*
        $vis fn $name($($arg: $ty),*) -> $ret {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn vectors($($arg: $ty),*) -> $ret {
                    $lanes($($arg),*)
                }
                if $crate::exec::host::has_vectors() {
                    // SAFETY: the processor has the features that the function is compiled for.
                    return unsafe { vectors($($arg),*) };
                }
            }
            $lanes($($arg),*)
        }
    };
}
pub(super) use compiled_twice;
