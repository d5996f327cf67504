// The way of the fetches to one main bank, where the bank is free again before its word is there.
//
// A read that enters in cycle t is at the bank in cycle t + delay_i and starts when the bank is
// open; reads keep their order and at most Depth are under way. With delay_i = 0 there is no way:
// a read starts in the cycle in which it is asked for, and `ready_o` is `open_i`.
module fetch_path import ltrf_pkg::*; #(
  parameter int unsigned Depth = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [7:0]       delay_i,
  // from the allocator
  output logic             ready_o,
  input  logic             read_i,
  input  row_t             row_i,
  input  outbound_t        meta_i,
  // at the bank
  input  logic             open_i,   // it can start a read
  output logic             start_o,
  output row_t             row_o,
  output outbound_t        meta_o,
  // what is under way
  output logic [Depth-1:0] held_o,
  output row_t [Depth-1:0] held_row_o
);

  localparam int unsigned CountBits = $clog2(Depth + 1);

  typedef logic [CountBits-1:0] count_t;

  typedef struct packed {
    row_t       row;
    outbound_t  meta;
    logic [7:0] left;  // cycles until it is at the bank
  } place_t;

  place_t [Depth-1:0] place_q, place_d, moved;  // place 0 is the oldest
  count_t             count_q, count_d, kept;
  logic               direct, enter, leave;

  assign direct  = delay_i == 8'd0;
  assign ready_o = direct ? open_i : count_q != count_t'(Depth);
  assign enter   = read_i && !direct;
  assign leave   = count_q != '0 && place_q[0].left == 8'd0 && open_i;
  assign start_o = direct ? read_i : leave;
  assign row_o   = direct ? row_i : place_q[0].row;
  assign meta_o  = direct ? meta_i : place_q[0].meta;
  assign kept    = count_q - count_t'(leave);
  assign count_d = kept + count_t'(enter);

  always_comb begin : advance
    moved = leave ? place_q >> $bits(place_t) : place_q;
    for (int unsigned p = 0; p < Depth; p++) begin
      place_d[p] = moved[p];
      if (moved[p].left != 8'd0) place_d[p].left = moved[p].left - 8'd1;
      if (enter && kept == count_t'(p)) begin
        place_d[p] = '{row: row_i, meta: meta_i, left: delay_i - 8'd1};
      end
      held_o[p]     = count_t'(p) < count_q;
      held_row_o[p] = place_q[p].row;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : occupancy
    if (!rst_ni) count_q <= '0;
    else count_q <= count_d;
  end

  always_ff @(posedge clk_i) begin : places
    place_q <= place_d;
  end

endmodule
