// A bank serves one word a pass, and a lane has all its banks.
module pass_selector_assertions
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter int unsigned IndexBits = 7
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input lane_set_t              ready_i,
  input address_t [NumLanes-1:0] address_i,
  input logic [IndexBits-1:0]   lane_index_i [NumLanes],
  input logic [2:0]             size_log2_i,
  input logic                   atomic_i,
  input lane_set_t              lanes_i,
  input bank_set_t              banks_i,
  input logic [IndexBits-1:0]   row_i [NumBanks]
);

  bank_set_t first_banks;  // of the chosen lanes

  always_comb begin : first
    first_banks = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (lanes_i[l]) first_banks[address_i[l][LineBits-1:2]] = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && ready_i != '0) begin
      OnlyReady :
      assert ((lanes_i & ~ready_i) == '0)
      else $error("OnlyReady: %h of %h", lanes_i, ready_i);
      Progress :
      assert (lanes_i != '0)
      else $error("Progress: no lane of %h is chosen", ready_i);
      OneLaneAnAtomicWord :
      assert (!atomic_i || $countones(first_banks) == $countones(lanes_i))
      else $error("OneLaneAnAtomicWord: lanes %h begin in banks %h", lanes_i, first_banks);
      for (int unsigned l = 0; l < NumLanes; l++) begin
        if (lanes_i[l]) begin
          for (int unsigned w = 0; w < MaxWords; w++) begin
            OwnRow :
            assert (3'(w) >= words_of(size_log2_i) ||
                    (banks_i[address_i[l][LineBits-1:2]+5'(w)] &&
                     row_i[address_i[l][LineBits-1:2]+5'(w)] == lane_index_i[l]))
            else $error("OwnRow: lane %0d does not get word %0d of line %0d",
                        l, w, lane_index_i[l]);
          end
        end
      end
    end
  end

endmodule
