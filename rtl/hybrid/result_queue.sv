// Accepted results that are not yet written, in the order of their handshakes (of one cycle: lower
// port first). The oldest one is written as soon as its place takes it; the younger ones wait
// behind it.
module result_queue
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter  int unsigned ResultWidth = 2,
  localparam int unsigned PlaceBits   = $clog2(2 * ResultWidth),
  localparam int unsigned Places      = 2 ** PlaceBits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // from the SM's write-back stage
  input  result_t [ResultWidth-1:0]                             result_i,
  input  logic    [ResultWidth-1:0][NumLanes-1:0][LaneBits-1:0] result_data_i,
  output logic    [ResultWidth-1:0]                             result_ready_o,
  // from the command port
  input  index_t                 base_i [NumWarps],
  // the oldest result
  output logic                   valid_o,
  output staged_t                oldest_o,
  output data_t                  oldest_data_o,
  input  logic                   pop_i,
  // all that are here
  output logic [Places-1:0]      held_o,
  output staged_t                held_entry_o [Places],
  // to the events
  output logic [ResultWidth-1:0] accept_o,
  output logic [ResultWidth-1:0] stall_o,
  output logic [LevelBits-1:0]   level_o
);

  typedef logic [PlaceBits-1:0] place_t;

  place_t                 head_q;
  logic [PlaceBits:0]     count_q, count_d;
  logic [ResultWidth-1:0] ready_q, accept;
  logic [ResultWidth-1:0] unused_beyond;  // registers of odd warps lie beyond one bank
  staged_t                entry_q [Places];
  data_t                  data_q  [Places];
  staged_t                entering [ResultWidth];
  place_t                 place [ResultWidth];

  for (genvar e = 0; e < Places; e++) begin : gen_held
    assign held_o[e] = {1'b0, place_t'(e) - head_q} < count_q;
  end

  for (genvar p = 0; p < ResultWidth; p++) begin : gen_accept
    assign accept[p]           = result_i[p].valid && ready_q[p];
    assign entering[p].warp    = result_i[p].warp;
    assign entering[p].number  = number_t'(result_i[p].register);
    assign entering[p].mask    = result_i[p].mask;
    assign stall_o[p]          = result_i[p].valid && !ready_q[p];

    locate #(
      .NumBanks (ArraysPerBank),
      .IndexBits(AddressBits)
    ) u_locate (
      .base_i    (base_i[result_i[p].warp]),
      .register_i(result_i[p].register),
      .interleaved_i(1'b0),
      .bank_o    (entering[p].address.array),
      .row_o     (entering[p].address.row),
      .beyond_o  (unused_beyond[p])
    );
  end

  always_comb begin : places
    count_d = count_q - (PlaceBits + 1)'(pop_i);
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      place[p] = head_q + place_t'(count_d) + place_t'(pop_i);
      if (accept[p]) count_d = count_d + (PlaceBits + 1)'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      head_q  <= '0;
      count_q <= '0;
      ready_q <= '1;
    end else begin
      head_q  <= head_q + place_t'(pop_i);
      count_q <= count_d;
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        ready_q[p] <= (PlaceBits + 1)'(Places) - count_d > (PlaceBits + 1)'(p);
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (accept[p]) begin
        entry_q[place[p]] <= entering[p];
        data_q[place[p]]  <= result_data_i[p];
      end
    end
  end

  assign result_ready_o = ready_q;
  assign valid_o        = count_q != '0;
  assign held_entry_o   = entry_q;
  assign oldest_o       = entry_q[head_q];
  assign oldest_data_o  = data_q[head_q];
  assign accept_o       = accept;
  assign level_o        = LevelBits'(count_q);

endmodule
