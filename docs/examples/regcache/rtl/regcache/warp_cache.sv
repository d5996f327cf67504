// The last results of each warp: a fully associative cache of Entries warp registers a warp.
//
// A result that is accepted goes to the register file behind in any case. Here, a result of all
// lanes for a register without an entry takes the place of the warp's oldest entry; a result for
// a register that has one changes its lanes; a result of some lanes makes no entry. Sources are
// looked up in the cycle in which their instruction is offered.
module warp_cache
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned IssueWidth  = 2,
  parameter  int unsigned ResultWidth = 2,
  parameter  int unsigned Entries     = 4,
  parameter  int unsigned Warps       = NumWarps,
  localparam int unsigned EntryBits   = (Entries > 1) ? $clog2(Entries) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the commands: a warp's entries, or all, mean nothing from the next cycle on
  input  logic                       clear_i,
  input  logic                       clear_all_i,
  input  warp_t                      clear_warp_i,
  // from the SM's issue stage
  input  issue_t  [IssueWidth-1:0]   issue_i,
  output source_set_t [IssueWidth-1:0] hit_o,
  output data_t   [IssueWidth-1:0][NumSources-1:0] data_o,  // meaningful where hit_o
  // from the SM's write-back stage
  input  logic    [ResultWidth-1:0]  accept_i,
  input  result_t [ResultWidth-1:0]  result_i,
  input  data_t   [ResultWidth-1:0]  result_data_i,
  // to the events
  output logic    [ResultWidth-1:0]  update_o,   // a result changes an entry
  output logic    [ResultWidth-1:0]  allocate_o  // a result takes a place
);

  typedef logic [Entries-1:0] entry_set_t;

  entry_set_t              valid_q    [Warps];
  entry_set_t              valid_d    [Warps];
  register_t [Entries-1:0] register_q [Warps];
  register_t [Entries-1:0] register_d [Warps];
  logic [EntryBits-1:0]    oldest_q   [Warps];
  logic [EntryBits-1:0]    oldest_d   [Warps];
  data_t [Entries-1:0]     data_q     [Warps];
  entry_set_t              write      [ResultWidth];

  // ---- results, one port after the other ----
  always_comb begin : results
    valid_d    = valid_q;
    register_d = register_q;
    oldest_d   = oldest_q;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      write[p] = '0;
      for (int unsigned e = 0; e < Entries; e++) begin
        write[p][e] = accept_i[p] && valid_d[result_i[p].warp][e] &&
                      register_d[result_i[p].warp][e] == result_i[p].register;
      end
      update_o[p]   = write[p] != '0;
      allocate_o[p] = accept_i[p] && !update_o[p] && result_i[p].mask == '1;
      if (allocate_o[p]) begin
        write[p][oldest_d[result_i[p].warp]]      = 1'b1;
        valid_d[result_i[p].warp]                 = valid_d[result_i[p].warp] | write[p];
        register_d[result_i[p].warp][oldest_d[result_i[p].warp]] = result_i[p].register;
        oldest_d[result_i[p].warp] = (oldest_d[result_i[p].warp] == EntryBits'(Entries - 1)) ?
                                     '0 : oldest_d[result_i[p].warp] + EntryBits'(1);
      end
    end
    for (int unsigned w = 0; w < Warps; w++) begin
      if (clear_all_i || (clear_i && clear_warp_i == warp_t'(w))) valid_d[w] = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      for (int unsigned w = 0; w < Warps; w++) begin
        valid_q[w]  <= '0;
        oldest_q[w] <= '0;
      end
    end else begin
      valid_q  <= valid_d;
      oldest_q <= oldest_d;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    register_q <= register_d;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        for (int unsigned lane = 0; lane < NumLanes; lane++) begin
          if (write[p][e] && result_i[p].mask[lane]) begin
            data_q[result_i[p].warp][e][lane] <= result_data_i[p][lane];
          end
        end
      end
    end
  end

  // ---- sources ----
  always_comb begin : lookup
    hit_o = '0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      for (int unsigned s = 0; s < NumSources; s++) begin
        data_o[slot][s] = '0;
        for (int unsigned e = 0; e < Entries; e++) begin
          if (issue_i[slot].valid && issue_i[slot].source_valid[s] &&
              valid_q[issue_i[slot].warp][e] &&
              register_q[issue_i[slot].warp][e] == issue_i[slot].source[s]) begin
            hit_o[slot][s]  = 1'b1;
            data_o[slot][s] = data_q[issue_i[slot].warp][e];
          end
        end
      end
    end
  end

endmodule
