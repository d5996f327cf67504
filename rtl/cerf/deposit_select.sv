// Which result is put beside its register that is on its way: one a cycle, and none while L2
// answers.
module deposit_select
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic                open_i,      // L2 does not answer
  // from the tag banks
  input  tag_bank_set_t       deposit_i,
  input  line_t               line_i [NumTagBanks],
  input  logic                refills_i [NumTagBanks],
  input  logic                commit_i [NumTagBanks],
  output tag_bank_set_t       deposited_o,
  // from the write buffer
  input  logic [NumLanes-1:0] mask_i [NumTagBanks],
  input  data_t               data_i [NumTagBanks],
  // to and from the MSHRs and the fill unit
  output line_t               line_o,
  input  logic                mshr_open_i,  // the MSHR of the line takes a result
  output logic                fresh_o,      // the fetch begins with this result
  output logic                done_o,
  output logic [NumLanes-1:0] mask_o,
  output data_t               data_o
);

  tag_bank_set_t first, turn;

  lowest_bit #(
    .Width(NumTagBanks)
  ) u_turn (
    .set_i  (deposit_i),
    .valid_o(),
    .bit_o  (first),
    .index_o()
  );

  assign turn = open_i ? first : '0;

  always_comb begin : choose
    line_o  = line_i[0];
    mask_o  = mask_i[0];
    data_o  = data_i[0];
    fresh_o = 1'b0;
    done_o  = 1'b0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (turn[b]) begin
        line_o  = line_i[b];
        mask_o  = mask_i[b];
        data_o  = data_i[b];
        fresh_o = refills_i[b];
        done_o  = commit_i[b];
      end
    end
  end

  assign deposited_o = (fresh_o || mshr_open_i) ? turn : '0;

endmodule
