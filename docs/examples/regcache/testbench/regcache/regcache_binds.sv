// Attaches the assertions to the modules of regcache.
bind warp_cache warp_cache_assertions #(
  .Entries(Entries),
  .Warps  (Warps)
) u_assertions (
  .clk_i,
  .rst_ni,
  .valid_i   (valid_q),
  .register_i(register_q)
);

bind hit_store hit_store_assertions #(
  .IssueWidth(IssueWidth),
  .Places    (Places)
) u_assertions (
  .clk_i,
  .rst_ni,
  .accept_i,
  .take_i,
  .in_use_i    (in_use_q),
  .taken_i     (taken),
  .given_back_i(given_back)
);
