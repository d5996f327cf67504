// Brings arriving operands to the ports of the operand store: source s from bank k comes through
// port k * ArraysPerBank + s.
module operand_delivery
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input  logic [SttBanks-1:0] arrive_i,
  input  collector_t          collector_i [SttBanks],
  input  source_set_t         sources_i [SttBanks],
  input  data_t               data_i [SttBanks][NumSources],
  output logic [NumBanks-1:0] deliver_o,
  output collector_t          collector_o [NumBanks],
  output source_t             source_o [NumBanks],
  output data_t               data_o [NumBanks]
);

  for (genvar k = 0; k < SttBanks; k++) begin : gen_bank
    for (genvar s = 0; s < ArraysPerBank; s++) begin : gen_source
      assign collector_o[k*ArraysPerBank+s] = collector_i[k];
      assign source_o[k*ArraysPerBank+s]    = source_t'(s);
      if (s < NumSources) begin : gen_there
        assign deliver_o[k*ArraysPerBank+s] = arrive_i[k] && sources_i[k][s];
        assign data_o[k*ArraysPerBank+s]    = data_i[k][s];
      end else begin : gen_none
        assign deliver_o[k*ArraysPerBank+s] = 1'b0;
        assign data_o[k*ArraysPerBank+s]    = '0;
      end
    end
  end

endmodule
