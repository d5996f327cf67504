// Looks the collectors' operands up in the warp control block (figure 11, right).
//
// A collector has, besides what the shell's holds, the warp offset and the cache bank of every
// operand. After its allocation it looks its operands up, two a cycle at most (TablePorts);
// collectors of the same warp share the ports, and the one that comes first in rotating order has
// them. An operand whose register has a result queued waits. A register named twice is looked up
// twice.
module operand_lookup import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2
) (
  input  logic                                            clk_i,
  input  logic                                            rst_ni,
  // from the collectors: the instructions that enter
  input  issue_t      [IssueWidth-1:0]                    issue_i,
  input  logic        [IssueWidth-1:0]                    accept_i,
  input  collector_t                                      collector_i [IssueWidth],
  // to and from the warp control block and the result queues
  output warp_t       [NumCollectors-1:0]                 lookup_warp_o,
  output logic        [NumCollectors-1:0][TablePorts-1:0] lookup_valid_o,
  output reg_t        [NumCollectors-1:0][TablePorts-1:0] lookup_register_o,
  input  cache_bank_t [NumCollectors-1:0][TablePorts-1:0] lookup_bank_i,
  input  slot_t       [NumCollectors-1:0]                 lookup_slot_i,
  input  queue_view_t [ResultWidth-1:0][QueueDepth-1:0]   queue_i,
  // to the reads
  output source_set_t                                     waits_o [NumCollectors],
  output cache_bank_t                                     bank_o [NumCollectors][NumSources],
  output slot_t                                           slot_o [NumCollectors]
);

  warp_t       warp_q     [NumCollectors];
  slot_t       slot_q     [NumCollectors];
  source_set_t look_q     [NumCollectors];  // to be looked up
  reg_t        register_q [NumCollectors][NumSources];
  cache_bank_t bank_q     [NumCollectors][NumSources];

  collector_t                                            turn_q;
  logic        [NumCollectors-1:0]                       from_turn;  // not wrapped around
  logic        [NumCollectors-1:0]                       wants, served, sooner;
  source_set_t [NumCollectors-1:0]                       ready;      // without a queued result
  source_set_t [NumCollectors-1:0]                       looked;
  source_set_t [NumCollectors-1:0][TablePorts-1:0]       pick;       // by port, one source
  source_set_t                                           queued, rest;

  // What each collector can look up.
  always_comb begin : look_up
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      queued = '0;
      for (int unsigned s = 0; s < NumSources; s++) begin
        for (int unsigned p = 0; p < ResultWidth; p++) begin
          for (int unsigned e = 0; e < QueueDepth; e++) begin
            if (queue_i[p][e].valid && !queue_i[p][e].leaving &&
                queue_i[p][e].warp == warp_q[c] && queue_i[p][e].reg_no == register_q[c][s]) begin
              queued[s] = 1'b1;
            end
          end
        end
      end
      ready[c] = look_q[c] & ~queued;
      wants[c] = ready[c] != '0;
    end
  end

  // Of the collectors of a warp that can look something up, the first in rotating order does.
  always_comb begin : turns
    from_turn = '1 << turn_q;
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      for (int unsigned o = 0; o < NumCollectors; o++) begin
        sooner[o] = wants[o] && warp_q[o] == warp_q[c] &&
                    ((o < c) ? from_turn[o] || !from_turn[c]
                             : (o > c) && from_turn[o] && !from_turn[c]);
      end
      served[c] = wants[c] && sooner == '0;
    end
  end

  // It has the ports for its lowest sources.
  always_comb begin : ports
    looked            = '0;
    lookup_register_o = '0;
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      rest = served[c] ? ready[c] : '0;
      for (int unsigned p = 0; p < TablePorts; p++) begin
        pick[c][p]           = rest & (~rest + source_set_t'(1));
        lookup_valid_o[c][p] = rest != '0;
        rest                 = rest & ~pick[c][p];
        looked[c]            = looked[c] | pick[c][p];
        for (int unsigned s = 0; s < NumSources; s++) begin
          lookup_register_o[c][p] =
              lookup_register_o[c][p] | (pick[c][p][s] ? register_q[c][s] : '0);
        end
      end
    end
  end

  always_comb begin : look_up_warps
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      lookup_warp_o[c] = warp_q[c];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      turn_q <= '0;
      look_q <= '{default: '0};
    end else begin
      turn_q <= turn_q + collector_t'(1);
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        look_q[c] <= look_q[c] & ~looked[c];
        for (int unsigned i = 0; i < IssueWidth; i++) begin
          if (accept_i[i] && collector_i[i] == collector_t'(c)) begin
            look_q[c] <= issue_i[i].source_valid;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      for (int unsigned i = 0; i < IssueWidth; i++) begin
        if (accept_i[i] && collector_i[i] == collector_t'(c)) begin
          warp_q[c] <= issue_i[i].warp;
          for (int unsigned s = 0; s < NumSources; s++) begin
            register_q[c][s] <= issue_i[i].source[s];
          end
        end
      end
      for (int unsigned s = 0; s < NumSources; s++) begin
        for (int unsigned p = 0; p < TablePorts; p++) begin
          if (pick[c][p][s]) bank_q[c][s] <= lookup_bank_i[c][p];
        end
      end
      if (served[c]) slot_q[c] <= lookup_slot_i[c];
    end
  end

  assign waits_o = look_q;
  assign bank_o  = bank_q;
  assign slot_o  = slot_q;

endmodule
