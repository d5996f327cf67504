// Data of the operand collectors and of the operand output registers.
module cerf_operand_store
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input  logic                  clk_i,
  // from the data banks
  input  tag_bank_set_t         deliver_i,
  input  collector_t            deliver_collector_i [NumTagBanks],
  input  source_t               deliver_source_i [NumTagBanks],
  input  data_t                 deliver_data_i [NumTagBanks],
  // from dispatch
  input  logic [IssueWidth-1:0] load_i,
  input  collector_t            load_collector_i [IssueWidth],
  input  source_set_t           sources_i [NumCollectors],
  // to the SM's dispatch stage
  output logic [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][LaneBits-1:0] operand_data_o
);

  data_t data_q [NumCollectors][NumSources];
  logic [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][LaneBits-1:0] operand_data_q;

  assign operand_data_o = operand_data_q;

  always_ff @(posedge clk_i) begin : collect
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (deliver_i[b]) data_q[deliver_collector_i[b]][deliver_source_i[b]] <= deliver_data_i[b];
    end
  end

  always_ff @(posedge clk_i) begin : load
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      for (int unsigned s = 0; s < NumSources; s++) begin
        if (load_i[slot] && sources_i[load_collector_i[slot]][s]) begin
          operand_data_q[slot][s] <= data_q[load_collector_i[slot]][s];
        end
      end
    end
  end

endmodule
