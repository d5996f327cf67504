// Offered operands stay until they are taken, and no collector goes to two outputs.
module operand_dispatch_assertions
  import heddle_port_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = shell_pkg::DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input operands_t [IssueWidth-1:0] operands_i,
  input logic      [IssueWidth-1:0] ready_i,
  input logic [NumCollectors-1:0]   complete_i,
  input logic      [IssueWidth-1:0] load_i,
  input logic [CollectorBits-1:0]   load_collector_i [IssueWidth]
);

  operands_t [IssueWidth-1:0] operands_q;
  logic      [IssueWidth-1:0] stalled_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      operands_q <= '0;
      stalled_q  <= '0;
    end else begin
      operands_q <= operands_i;
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        stalled_q[slot] <= operands_i[slot].valid && !ready_i[slot];
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        OperandsStable :
        assert (!stalled_q[slot] || operands_i[slot] == operands_q[slot])
        else $error("OperandsStable: slot %0d changed from %h to %h while it waited", slot,
                    operands_q[slot], operands_i[slot]);
        LoadOnlyFree :
        assert (!(load_i[slot] && operands_i[slot].valid && !ready_i[slot]))
        else $error("LoadOnlyFree: slot %0d overwritten", slot);
        if (load_i[slot]) begin
          LoadOnlyComplete :
          assert (complete_i[load_collector_i[slot]])
          else $error("LoadOnlyComplete: collector %0d", load_collector_i[slot]);
          for (int unsigned other = 0; other < slot; other++) begin
            CollectorOnce :
            assert (!load_i[other] || load_collector_i[other] != load_collector_i[slot])
            else $error("CollectorOnce: collector %0d goes to slots %0d and %0d",
                        load_collector_i[slot], other, slot);
          end
        end
      end
    end
  end

endmodule

bind operand_dispatch operand_dispatch_assertions #(
  .IssueWidth   (IssueWidth),
  .NumCollectors(NumCollectors)
) u_assertions (
  .clk_i,
  .rst_ni,
  .operands_i      (operands_q),
  .ready_i         (operands_ready_i),
  .complete_i,
  .load_i          (load_o),
  .load_collector_i(load_collector_o)
);
