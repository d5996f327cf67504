// Miss-status holding registers: one for each line on its way, with the number of requests that
// wait for it.
//
// A spilled register that comes back has one too. Loads of a line share its register; an access
// that goes past the integrated memory has its own. A register whose line has come back takes no
// more requests.
module mshr_file
  import cerf_pkg::*;
(
  input  logic     clk_i,
  input  logic     rst_ni,
  // from and to the memory unit
  input  line_t    line_i,
  output logic     pending_o,    // the line is on its way
  output logic     joinable_o,   // and its register takes another load
  output mshr_t    match_o,      // its register
  output merge_t   slot_o,       // place of the next load in it
  output logic     free_o,
  output mshr_t    first_free_o,
  input  logic     allocate_i,   // takes the first free register
  input  line_t    allocate_line_i,
  input  logic     fetches_i,    // for a load, which others may join
  input  logic     join_i,
  // from and to the tag banks: a result whose register is on its way
  input  line_t    deposit_line_i,
  output mshr_t    deposit_match_o,
  output logic     deposit_open_o, // it has not been taken up by the fill unit
  // from and to the fill unit
  input  mshr_t    returned_i,
  input  logic     close_i,      // the line of `returned_i` is there
  input  logic     release_i,    // all requests of `returned_i` have been answered
  output line_t    returned_line_o,
  output logic     returned_fetches_o,
  output merge_t   returned_last_o,   // place of its last request
  // to the events
  output logic [5:0] used_o
);

  typedef logic [NumMshrs-1:0] mshr_set_t;

  mshr_set_t in_use, fetches_q, closed_q, match, deposits;
  logic      deposit_pending;
  line_t     line_q [NumMshrs];
  merge_t    last_q [NumMshrs];

  for (genvar m = 0; m < NumMshrs; m++) begin : gen_match
    assign match[m]    = in_use[m] && line_q[m] == line_i;
    assign deposits[m] = in_use[m] && line_q[m] == deposit_line_i;
  end

  lowest_bit #(
    .Width(NumMshrs)
  ) u_match (
    .set_i  (match),
    .valid_o(pending_o),
    .bit_o  (),
    .index_o(match_o)
  );

  lowest_bit #(
    .Width(NumMshrs)
  ) u_deposit (
    .set_i  (deposits),
    .valid_o(deposit_pending),
    .bit_o  (),
    .index_o(deposit_match_o)
  );

  number_pool #(
    .Numbers(NumMshrs)
  ) u_numbers (
    .clk_i,
    .rst_ni,
    .room_o    (free_o),
    .free_o    (first_free_o),
    .take_i    (allocate_i),
    .release_i,
    .released_i(returned_i),
    .in_use_o  (in_use)
  );

  assign joinable_o = pending_o && fetches_q[match_o] && !closed_q[match_o] &&
                      last_q[match_o] != merge_t'(NumMerges - 1);
  assign deposit_open_o = deposit_pending && !closed_q[deposit_match_o] &&
                          !(close_i && returned_i == deposit_match_o);
  assign slot_o     = last_q[match_o] + merge_t'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      closed_q <= '0;
    end else begin
      if (close_i) closed_q[returned_i] <= 1'b1;
      if (allocate_i) closed_q[first_free_o] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (allocate_i) begin
      line_q[first_free_o]    <= allocate_line_i;
      fetches_q[first_free_o] <= fetches_i;
      last_q[first_free_o]    <= '0;
    end
    if (join_i) last_q[match_o] <= slot_o;
  end

  assign returned_line_o    = line_q[returned_i];
  assign returned_fetches_o = fetches_q[returned_i];
  assign returned_last_o    = last_q[returned_i];
  assign used_o             = 6'($countones(in_use));

endmodule
