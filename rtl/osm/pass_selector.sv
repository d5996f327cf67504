// Chooses the lanes that the 32 banks serve in one cycle.
//
// In each bank the lowest lane decides the word; with it go all lanes of the same word, of an
// atomic access only that lane. Lanes of 8 bytes go by half-warps and lanes of 16 bytes by
// quarter-warps, as in a conventional shared memory, so conflicts take the same number of passes as
// there.
module pass_selector
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter int unsigned IndexBits = 7
) (
  input  lane_set_t              ready_i,
  input  address_t [NumLanes-1:0] address_i,
  input  logic [IndexBits-1:0]   lane_index_i [NumLanes],
  input  logic [2:0]             size_log2_i,
  input  logic                   atomic_i,
  input  logic                   one_line_i,  // all lanes are in one line: no conflicts
  output lane_set_t              lanes_o,
  output bank_set_t              banks_o,
  // in each bank: line, and bytes of the word that the lanes access
  output logic [IndexBits-1:0]   row_o [NumBanks],
  output logic [NumBanks-1:0][3:0] bytes_o
);

  logic [3:0] quarters;  // that have lanes
  logic [1:0] quarter;   // the lowest of them
  lane_set_t group, candidates;
  lane_t     leader [NumBanks];
  bank_set_t led;

  // ---- lanes that can go together ----
  for (genvar q = 0; q < 4; q++) begin : gen_quarter
    assign quarters[q] = ready_i[q*NumLanes/4+:NumLanes/4] != '0;
  end

  lowest_bit #(
    .Width(4)
  ) u_lowest (
    .set_i  (quarters),
    .valid_o(),
    .bit_o  (),
    .index_o(quarter)
  );

  always_comb begin : part_of_warp
    case (one_line_i ? 3'd0 : size_log2_i)
      3'd3:    group = lane_set_t'(32'h0000_FFFF) << {quarter[1], 4'd0};
      3'd4:    group = lane_set_t'(32'h0000_00FF) << {quarter, 3'd0};
      default: group = '1;
    endcase
  end

  assign candidates = ready_i & group;

  // ---- the lowest lane of each bank ----
  always_comb begin : leaders
    led    = '0;
    leader = '{default: '0};
    for (int l = int'(NumLanes) - 1; l >= 0; l--) begin
      if (candidates[l]) begin
        led[address_i[l][LineBits-1:2]]    = 1'b1;
        leader[address_i[l][LineBits-1:2]] = lane_t'(l);
      end
    end
  end

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    lane_t first;
    assign first      = leader[address_i[l][LineBits-1:2]];
    assign lanes_o[l] = candidates[l] &&
        (first == lane_t'(l) ||
         (!atomic_i && address_i[first][31:2] == address_i[l][31:2]));
  end

  // ---- what each bank does ----
  for (genvar b = 0; b < NumBanks; b++) begin : gen_row
    bank_t base;  // the bank of the access's first word
    always_comb begin : align
      case (size_log2_i)
        3'd3:    base = bank_t'(b) & 5'b11110;
        3'd4:    base = bank_t'(b) & 5'b11100;
        default: base = bank_t'(b);
      endcase
    end
    assign banks_o[b] = led[base];
    assign row_o[b]   = lane_index_i[leader[base]];
  end

  always_comb begin : byte_sets
    bytes_o = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (lanes_o[l]) begin
        for (int unsigned w = 0; w < MaxWords; w++) begin
          if (3'(w) < words_of(size_log2_i)) begin
            bytes_o[address_i[l][LineBits-1:2]+5'(w)] |=
                word_bytes_of(size_log2_i, address_i[l][1:0]);
          end
        end
      end
    end
  end

endmodule
