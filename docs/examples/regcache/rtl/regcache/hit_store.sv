// What instructions found in the cache, by tag, until their other operands are there.
module hit_store
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned IssueWidth = 2,
  parameter  int unsigned Places     = DefaultCollectors + IssueWidth,
  localparam int unsigned PlaceBits  = $clog2(Places)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // an accepted instruction takes a place
  input  logic   [IssueWidth-1:0] accept_i,
  input  issue_t [IssueWidth-1:0] issue_i,
  input  source_set_t [IssueWidth-1:0] hit_i,
  input  data_t  [IssueWidth-1:0][NumSources-1:0] data_i,
  // one whose other operands leave the register file gives it back
  input  logic   [IssueWidth-1:0] take_i,
  input  operands_t [IssueWidth-1:0] operands_i,
  output source_set_t [IssueWidth-1:0] hit_o,
  output data_t  [IssueWidth-1:0][NumSources-1:0] data_o,
  // to the events
  output logic   [Places-1:0]     in_use_o
);

  logic [Places-1:0]      in_use_q, taken, given_back;
  logic [PlaceBits-1:0]   place  [IssueWidth];
  logic [TagBits-1:0]     tag_q  [Places];
  source_set_t            hit_q  [Places];
  data_t [NumSources-1:0] data_q [Places];

  lowest_picks #(
    .Width(Places),
    .Picks(IssueWidth)
  ) u_places (
    .set_i  (~in_use_q),
    .take_i (accept_i),
    .index_o(place),
    .taken_o(taken)
  );

  always_comb begin : find
    given_back = '0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      hit_o[slot]  = '0;
      data_o[slot] = '0;
      for (int unsigned p = 0; p < Places; p++) begin
        if (take_i[slot] && in_use_q[p] && tag_q[p] == operands_i[slot].tag) begin
          given_back[p] = 1'b1;
          hit_o[slot]   = hit_q[p];
          data_o[slot]  = data_q[p];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      in_use_q <= '0;
    end else begin
      in_use_q <= (in_use_q & ~given_back) | taken;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept_i[slot]) begin
        tag_q[place[slot]] <= issue_i[slot].tag;
        hit_q[place[slot]] <= hit_i[slot];
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (hit_i[slot][s]) data_q[place[slot]][s] <= data_i[slot][s];
        end
      end
    end
  end

  assign in_use_o = in_use_q;

endmodule
