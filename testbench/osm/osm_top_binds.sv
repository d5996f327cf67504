// Attaches the assertions to the top.
bind osm_top osm_top_assertions #(
  .Sets       (Sets),
  .ReadCounter(ReadCounter)
) u_assertions (
  .clk_i,
  .rst_ni,
  .config_i(settings)
);
