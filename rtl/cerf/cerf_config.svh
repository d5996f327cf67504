// Words of cerf's own configuration, `config_t.own`. Made from design.toml by
// `heddle check-design cerf --write`.
  localparam int unsigned InterleavedWord = 0;
