// Spilled registers keep their values: what is placed again and what L2 takes is what the tag bank
// was last given, in every lane that a result has written since the register was last free.
module register_values_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  // operations that the tag banks carry out
  input op_e                 done_i [NumTagBanks],
  input line_t               line_i [NumTagBanks],
  input tag_bank_set_t       dead_i,
  input logic [NumLanes-1:0] mask_i [NumTagBanks],  // of results
  input data_t               result_i [NumTagBanks],
  input data_t               placed_i,              // of the register that comes back
  // registers of a warp that has ended
  input tag_bank_set_t      freed_i,
  input exit_group_t        group_i,
  input exit_rows_t         rows_i [NumTagBanks],
  // write-backs on their way to L2
  input tag_bank_set_t       pushed_i,
  input logic                evict_i [NumTagBanks],
  input line_t               evicted_i [NumTagBanks],
  input lower_t              entry_i,
  input mem_lower_request_t  request_i,
  input data_t               data_i,
  input logic                taken_i
);

  data_t               value [NumTagBanks];    // of the operation's register
  data_t               spilled [NumTagBanks];  // of the evicted one
  logic [NumLanes-1:0] known [NumTagBanks];
  logic [NumLanes-1:0] spilled_known [NumTagBanks];
  data_t               sent_q [LowerEntries];
  logic [NumLanes-1:0] sent_known_q [LowerEntries];
  lower_t              head_q;
  data_t               sent;
  logic [NumLanes-1:0] sent_known;

  function automatic data_t lanes(logic [NumLanes-1:0] mask);
    for (int unsigned lane = 0; lane < NumLanes; lane++) lanes[lane] = {LaneBits{mask[lane]}};
  endfunction

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_bank
    data_t               value_q [EntriesPerBank];
    logic [NumLanes-1:0] known_q [EntriesPerBank];
    row_t                at, left;

    assign at               = line_i[b][TagBankBits+:RowBits];
    assign left             = evicted_i[b][TagBankBits+:RowBits];
    assign value[b]         = value_q[at];
    assign known[b]         = known_q[at];
    assign spilled[b]       = value_q[left];
    assign spilled_known[b] = known_q[left];

    always_ff @(posedge clk_i or negedge rst_ni) begin : remember_lanes
      if (!rst_ni) begin
        for (int unsigned r = 0; r < EntriesPerBank; r++) known_q[r] <= '0;
      end else begin
        if (done_i[b] == OpWriteReg) known_q[at] <= known[b] | mask_i[b];
        if (done_i[b] == OpReadReg && dead_i[b]) known_q[at] <= '0;
        for (int unsigned r = 0; r < ExitRows; r++) begin
          if (freed_i[b] && rows_i[b][r]) known_q[{group_i, ($clog2(ExitRows))'(r)}] <= '0;
        end
      end
    end

    always_ff @(posedge clk_i) begin : remember_values
      if (done_i[b] == OpWriteReg) begin
        value_q[at] <= (value[b] & ~lanes(mask_i[b])) | (result_i[b] & lanes(mask_i[b]));
      end
    end

    always_ff @(posedge clk_i) begin : placed
      if (rst_ni && done_i[b] == OpRefill) begin
        PlacedIsWhatWasWritten :
        assert (((placed_i ^ value[b]) & lanes(known[b])) == '0)
        else $error("PlacedIsWhatWasWritten: register %0d comes back with other values",
                    line_i[b][IndexBits-1:0]);
      end
    end
  end

  assign sent       = sent_q[head_q];
  assign sent_known = sent_known_q[head_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin : head
    if (!rst_ni) head_q <= '0;
    else if (taken_i) head_q <= head_q + lower_t'(1);
  end

  always_ff @(posedge clk_i) begin : remember_sent
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (pushed_i[b] && evict_i[b]) begin
        sent_q[entry_i]       <= spilled[b];
        sent_known_q[entry_i] <= is_register(evicted_i[b]) ? spilled_known[b] : '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && taken_i && request_i.kind == LowerWriteBack) begin
      SpilledIsWhatWasWritten :
      assert (((data_i ^ sent) & lanes(sent_known)) == '0)
      else $error("SpilledIsWhatWasWritten: L2 takes other values at %h", request_i.line);
    end
  end

endmodule
