// Words of ltrf's own configuration, `config_t.own`. Made from design.toml by
// `heddle check-design ltrf --write`.
  localparam int unsigned DecodeWidthWord = 0;
  localparam int unsigned BankBusyCyclesWord = 1;
  localparam int unsigned BankEighthsWord = 2;
  localparam int unsigned EarlyReleaseWord = 3;
