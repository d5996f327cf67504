// Words of racetrack's own configuration, `config_t.own`. Made from design.toml by
// `heddle check-design racetrack --write`.
  localparam int unsigned ShiftReleaseWord = 0;
  localparam int unsigned InterleavedWord = 1;
