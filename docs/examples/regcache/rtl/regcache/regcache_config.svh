// Words of regcache's own configuration, `config_t.own`. Made from design.toml by
// `heddle check-design regcache --write`.
  localparam int unsigned InterleavedWord = 0;
  localparam int unsigned BankEighthsWord = 1;
