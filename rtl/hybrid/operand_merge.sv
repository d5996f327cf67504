// Puts arriving operands together: each lane comes from the write buffer where that holds it, else
// from the STT-RAM (section 4.4, the multiplexer of figure 5).
//
// Notes, a bank each, say which lanes of the reads under way lie in the write buffer, and where.
module operand_merge
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned Lanes     = NumLanes,
  parameter int unsigned LaneWidth = LaneBits
) (
  input  logic                clk_i,
  // reads that begin
  input  source_set_t         grant_i,
  input  logic                bank_i,
  input  source_set_t         buffered_i,   // granted sources that lie in the write buffer
  input  logic                buffer_i,
  input  slot_t               slot_i [NumSources],
  input  logic [Lanes-1:0]    mask_i [NumSources],
  // data of earlier reads
  input  logic [SttBanks-1:0] arrive_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] stt_data_i [SttBanks][NumSources],
  input  logic [Lanes-1:0][LaneWidth-1:0] buffer_data_i [Buffers][ArraysPerBank],
  output logic [Lanes-1:0][LaneWidth-1:0] data_o [SttBanks][NumSources]
);

  logic [ArrayBits-1:0] entry_q  [SttBanks][NumSources];
  logic [Lanes-1:0]     mask_q   [SttBanks][NumSources];  // lanes that the buffer holds
  logic                 buffer_q [SttBanks];

  always_ff @(posedge clk_i) begin : notes
    if (grant_i != '0) begin
      buffer_q[bank_i] <= buffer_i;
      for (int unsigned s = 0; s < NumSources; s++) begin
        if (grant_i[s]) begin
          entry_q[bank_i][s] <= slot_i[s][ArrayBits-1:0];
          mask_q[bank_i][s]  <= buffered_i[s] ? mask_i[s] : '0;
        end
      end
    end
  end

  always_comb begin : lanes
    for (int unsigned b = 0; b < SttBanks; b++) begin
      for (int unsigned s = 0; s < NumSources; s++) begin
        data_o[b][s] = stt_data_i[b][s];
        if (arrive_i[b]) begin
          for (int unsigned lane = 0; lane < Lanes; lane++) begin
            if (mask_q[b][s][lane]) begin
              data_o[b][s][lane] = buffer_data_i[buffer_q[b]][entry_q[b][s]][lane];
            end
          end
        end
      end
    end
  end

endmodule
