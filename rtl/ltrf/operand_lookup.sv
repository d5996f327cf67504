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

  collector_t                                      turn_q;
  logic        [NumWarps-1:0]                      warp_served;
  source_set_t [NumCollectors-1:0]                 looked;
  source_t     [NumCollectors-1:0][TablePorts-1:0] look_source;
  collector_t                                      lc;
  logic                                            queued;
  logic        [1:0]                               ports_used;

  always_comb begin : look_up
    warp_served       = '0;
    looked            = '0;
    look_source       = '0;
    lookup_valid_o    = '0;
    lookup_register_o = '0;
    lc                = '0;
    queued            = 1'b0;
    ports_used        = '0;
    for (int unsigned k = 0; k < NumCollectors; k++) begin
      lc = turn_q + collector_t'(k);
      if (look_q[lc] != '0 && !warp_served[warp_q[lc]]) begin
        ports_used = '0;
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (look_q[lc][s] && ports_used != 2'(TablePorts)) begin
            queued = 1'b0;
            for (int unsigned p = 0; p < ResultWidth; p++) begin
              for (int unsigned e = 0; e < QueueDepth; e++) begin
                if (queue_i[p][e].valid && !queue_i[p][e].leaving &&
                    queue_i[p][e].warp == warp_q[lc] &&
                    queue_i[p][e].reg_no == register_q[lc][s]) begin
                  queued = 1'b1;
                end
              end
            end
            if (!queued) begin
              looked[lc][s]                        = 1'b1;
              lookup_valid_o[lc][ports_used[0]]    = 1'b1;
              lookup_register_o[lc][ports_used[0]] = register_q[lc][s];
              look_source[lc][ports_used[0]]       = source_t'(s);
              ports_used                           = ports_used + 2'd1;
              warp_served[warp_q[lc]]              = 1'b1;
            end
          end
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
        if (look_q[c] != '0) look_q[c] <= look_q[c] & ~looked[c];
      end
      for (int unsigned i = 0; i < IssueWidth; i++) begin
        if (accept_i[i]) look_q[collector_i[i]] <= issue_i[i].source_valid;
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned i = 0; i < IssueWidth; i++) begin
      if (accept_i[i]) begin
        warp_q[collector_i[i]] <= issue_i[i].warp;
        for (int unsigned s = 0; s < NumSources; s++) begin
          register_q[collector_i[i]][s] <= issue_i[i].source[s];
        end
      end
    end
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      for (int unsigned p = 0; p < TablePorts; p++) begin
        if (lookup_valid_o[c][p]) begin
          bank_q[c][look_source[c][p]] <= lookup_bank_i[c][p];
          slot_q[c]                    <= lookup_slot_i[c];
        end
      end
    end
  end

  assign waits_o = look_q;
  assign bank_o  = bank_q;
  assign slot_o  = slot_q;

endmodule
