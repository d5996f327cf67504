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
  lane_set_t address_bit [32];  // of all lanes
  lane_set_t index_bit [IndexBits];
  lane_set_t byte_bit [4];      // of the words that accesses begin with
  lane_set_t leads;             // the lowest of its bank

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

  // ---- bit by bit, all lanes side by side ----
  always_comb begin : bits
    for (int unsigned l = 0; l < NumLanes; l++) begin
      logic [3:0] bytes;
      bytes = word_bytes_of(size_log2_i, address_i[l][1:0]);
      for (int unsigned k = 0; k < 32; k++) address_bit[k][l] = address_i[l][k];
      for (int unsigned k = 0; k < IndexBits; k++) index_bit[k][l] = lane_index_i[l][k];
      for (int unsigned k = 0; k < 4; k++) byte_bit[k][l] = bytes[k];
    end
  end

  // ---- the lowest lane of each bank, and those that go with it ----
  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    localparam lane_set_t Below = (lane_set_t'(1) << l) - lane_set_t'(1);
    lane_set_t earlier, leader;  // of its bank; that one, if of its word

    always_comb begin : match
      earlier = candidates & Below;
      for (int unsigned k = 2; k < LineBits; k++) begin
        earlier &= address_bit[k] ~^ {NumLanes{address_i[l][k]}};
      end
    end
    assign leads[l] = candidates[l] && earlier == '0;

    always_comb begin : follow
      leader = earlier & leads;
      if (leader != '0) begin
        for (int unsigned k = LineBits; k < 32; k++) begin
          leader &= address_bit[k] ~^ {NumLanes{address_i[l][k]}};
        end
      end
    end
    assign lanes_o[l] = leads[l] || (candidates[l] && !atomic_i && leader != '0);
  end

  // ---- what each bank does ----
  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    bank_t     base;     // the bank of the access's first word
    lane_set_t at_base;  // lanes that begin there
    always_comb begin : align
      case (size_log2_i)
        3'd3:    base = bank_t'(b) & 5'b11110;
        3'd4:    base = bank_t'(b) & 5'b11100;
        default: base = bank_t'(b);
      endcase
      at_base = candidates;
      for (int unsigned k = 2; k < LineBits; k++) begin
        at_base &= address_bit[k] ~^ {NumLanes{base[k-2]}};
      end
    end
    assign banks_o[b] = at_base != '0;
    for (genvar k = 0; k < IndexBits; k++) begin : gen_row
      assign row_o[b][k] = (at_base & leads & index_bit[k]) != '0;
    end
    for (genvar k = 0; k < 4; k++) begin : gen_byte
      assign bytes_o[b][k] = (at_base & lanes_o & byte_bit[k]) != '0;
    end
  end

endmodule
