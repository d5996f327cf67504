// The output registers against what was moved into them, and the turn of one collector that the
// solver chooses.
module operand_dispatch_formal
  import heddle_port_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = shell_pkg::DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [NumCollectors-1:0]   complete_i,
  input logic [TagBits-1:0]         tag_i [NumCollectors],
  input logic [NumCollectors-1:0]   dispatch_i,
  input logic [IssueWidth-1:0]      load_i,
  input logic [CollectorBits-1:0]   load_collector_i [IssueWidth],
  input operands_t [IssueWidth-1:0] operands_i,
  input logic [IssueWidth-1:0]      ready_i,
  input logic [IssueWidth-1:0]      stall_i,
  input logic [NumCollectors-1:0]   mask_i   // of the rotation
);

  logic [CollectorBits-1:0] waiter_q;  // any: who is complete in the cycle of reset
  logic [NumCollectors-1:0] passed_q;  // that were dispatched while this one waits
  logic [NumCollectors-1:0] above, loaded [IssueWidth+1];
  logic                     waits, started_q;
  logic [IssueWidth-1:0]    valid, open;

  assign waits     = complete_i[waiter_q] && !dispatch_i[waiter_q];
  assign above     = ~((NumCollectors'(2) << waiter_q) - NumCollectors'(1));
  assign open      = ~valid | ready_i;
  assign loaded[0] = '0;

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) waiter_q <= CollectorBits'(complete_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      passed_q  <= '0;
      started_q <= 1'b0;
    end else begin
      passed_q  <= waits ? passed_q | dispatch_i : '0;
      started_q <= 1'b1;
    end
  end

  for (genvar p = 0; p < IssueWidth; p++) begin : gen_output
    operands_t was_q;
    logic      load_q, held_q;
    logic [TagBits-1:0] tag_q;

    assign valid[p]    = operands_i[p].valid;
    assign loaded[p+1] = loaded[p] |
                         (load_i[p] ? NumCollectors'(1) << load_collector_i[p] : '0);

    always_ff @(posedge clk_i) begin : last
      was_q  <= operands_i[p];
      load_q <= load_i[p];
      held_q <= operands_i[p].valid && !ready_i[p];
      tag_q  <= tag_i[load_collector_i[p]];
    end

    always_comb begin : checks
      if (rst_ni) begin
        HeldUntilTaken : assert (!started_q || !held_q || operands_i[p] == was_q);
        LoadOnlyFree : assert (!load_i[p] || open[p]);
        OffersWhatWasLoaded :
        assert (!started_q || !load_q || (operands_i[p].valid && operands_i[p].tag == tag_q));
        EmptyOtherwise : assert (started_q ? load_q || held_q || !valid[p] : !valid[p]);
        StallTells : assert (stall_i[p] == (valid[p] && !ready_i[p]));
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      OnlyComplete : assert ((dispatch_i & ~complete_i) == '0);
      LoadsTheDispatched : assert (loaded[IssueWidth] == dispatch_i);
      EachToOne : assert ($countones(dispatch_i) == $countones(load_i));
      NoOutputIdles : assert ((open & ~load_i) == '0 || dispatch_i == complete_i);
      Rotation : assert (!waits || (dispatch_i & passed_q) == '0);
      MaskIsThermometer : assert ((~mask_i & (~mask_i + NumCollectors'(1))) == '0);
      PassedSinceChoice :
      assert ((passed_q & ~(mask_i[waiter_q] ? above | ~mask_i : above & ~mask_i)) == '0);
      TwoWhileFourPassed : cover ($countones(passed_q) == 4 && load_i == '1);
    end
  end

endmodule

bind operand_dispatch operand_dispatch_formal #(
  .IssueWidth   (IssueWidth),
  .NumCollectors(NumCollectors)
) u_formal (
  .clk_i,
  .rst_ni,
  .complete_i,
  .tag_i,
  .dispatch_i      (dispatch_o),
  .load_i          (load_o),
  .load_collector_i(load_collector_o),
  .operands_i      (operands_o),
  .ready_i         (operands_ready_i),
  .stall_i         (stall_o),
  .mask_i          (u_pick.mask_q)
);
