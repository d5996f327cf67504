// A warp that ends frees its own registers, each one once, and is answered once.
module exit_walk_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic                interleaved_i,
  input logic                is_exit_i,    // an exit is taken over
  input logic [WarpBits-1:0] exits_i,      // the warp
  input logic [7:0]          registers_i,  // per thread
  input logic [15:0]         base_i [NumWarps],
  input logic                picks_i,      // a warp's turn begins
  input logic [WarpBits-1:0] warp_i,       // whose turn it is
  input tag_bank_set_t       free_i,
  input exit_group_t         group_i,
  input exit_rows_t          rows_i [NumTagBanks],
  input tag_bank_set_t       freed_i,
  input logic                ends_i        // the exit is carried out
);

  localparam int unsigned Registers = NumTagBanks * EntriesPerBank;

  logic [Registers-1:0] frees, own, freed_q;
  logic [NumWarps-1:0]  asked_q;

  always_comb begin : registers
    frees = '0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      for (int unsigned r = 0; r < ExitRows; r++) begin
        if (free_i[b] && freed_i[b]) begin
          frees[index_at({row_t'(group_i * ExitRows + r), tag_bank_t'(b)}, interleaved_i)] =
              rows_i[b][r];
        end
      end
    end
    own = '0;
    for (int unsigned r = 0; r < Registers; r++) begin
      own[r] = 16'(r) >= base_i[warp_i] && 16'(r) < base_i[warp_i] + 16'(registers_i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : remember
    if (!rst_ni) begin
      freed_q <= '0;
      asked_q <= '0;
    end else begin
      freed_q <= picks_i ? '0 : freed_q | frees;
      asked_q <= (asked_q & ~(NumWarps'(ends_i) << warp_i)) | (NumWarps'(is_exit_i) << exits_i);
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && frees != '0) begin
      FreesOwnRegisters :
      assert ((frees & ~own) == '0)
      else $error("FreesOwnRegisters: in group %0d, W%0d has %0d from %0d",
                  group_i, warp_i, registers_i, base_i[warp_i]);
      FreesEachOnce :
      assert ((frees & freed_q) == '0)
      else $error("FreesEachOnce: registers of group %0d once more", group_i);
    end
    if (rst_ni && ends_i) begin
      FreesAll :
      assert ((freed_q | frees) == own)
      else $error("FreesAll: %0d of %0d registers of W%0d",
                  $countones(freed_q | frees), registers_i, warp_i);
      AnswersAsked :
      assert (asked_q[warp_i])
      else $error("AnswersAsked: nobody asked for the exit of W%0d", warp_i);
    end
    if (rst_ni && is_exit_i) begin
      ExitsOnce :
      assert (!asked_q[exits_i])
      else $error("ExitsOnce: the exit of W%0d is under way", exits_i);
    end
  end

endmodule
