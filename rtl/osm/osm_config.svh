// Words of osm's own configuration, `config_t.own`. Made from design.toml by
// `heddle check-design osm --write`.
  localparam int unsigned InterleavedWord = 0;
  localparam int unsigned BankEighthsWord = 1;
  localparam int unsigned SectorsWord = 2;
