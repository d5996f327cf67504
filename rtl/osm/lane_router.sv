// Moves data between the lanes of a pass and the banks.
//
// Towards the lanes: each lane takes its words, moved to bit 0 and cut to the size of the access.
// Towards the banks: where several lanes write the same byte, the highest one stands.
module lane_router
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input  lane_set_t              lanes_i,
  input  address_t [NumLanes-1:0] address_i,
  input  logic [2:0]             size_log2_i,
  input  line_data_t             bank_data_i,
  output lane_data_t             loaded_o,
  input  lane_data_t             stored_i,
  output line_data_t             bank_data_o,
  output logic [NumBanks-1:0][3:0] bank_bytes_o
);

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    for (genvar w = 0; w < MaxWords; w++) begin : gen_word
      logic [31:0] moved;
      assign moved = bank_data_i[address_i[l][LineBits-1:2]+5'(w)] >> {address_i[l][1:0], 3'd0};
      always_comb begin : cut
        case (size_log2_i)
          3'd0:    loaded_o[l][w] = 32'(moved[7:0]);
          3'd1:    loaded_o[l][w] = 32'(moved[15:0]);
          default: loaded_o[l][w] = moved;
        endcase
      end
    end
  end

  bank_t       bank;
  logic [3:0]  bytes;
  logic [31:0] bits, word;

  always_comb begin : merge
    bank         = '0;
    bytes        = '0;
    bits         = '0;
    word         = '0;
    bank_data_o  = '0;
    bank_bytes_o = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (lanes_i[l]) begin
        for (int unsigned w = 0; w < MaxWords; w++) begin
          if (3'(w) < words_of(size_log2_i)) begin
            bank              = address_i[l][LineBits-1:2] + 5'(w);
            bytes             = word_bytes_of(size_log2_i, address_i[l][1:0]);
            bits              = {{8{bytes[3]}}, {8{bytes[2]}}, {8{bytes[1]}}, {8{bytes[0]}}};
            word              = stored_i[l][w] << {address_i[l][1:0], 3'd0};
            bank_bytes_o[bank] |= bytes;
            bank_data_o[bank]  = (bank_data_o[bank] & ~bits) | (word & bits);
          end
        end
      end
    end
  end

endmodule
