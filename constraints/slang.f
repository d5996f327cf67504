// Options of slang for every design, read by scripts/lint-rtl.py. What it reports is an error.
-Wextra
-Werror

// The width of a cast follows parameters: it changes nothing for one value and is needed for another.
-Wno-useless-cast
// `unique` says that no two labels match; the default says what happens for all other values.
-Wno-case-redundant-default
