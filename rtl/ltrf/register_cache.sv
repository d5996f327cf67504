// The register cache: 16 banks, each with one register of every active warp (LTRF, section 5.1).
//
// A bank has one read port (operand reads and write-backs) and one write port (results and fills).
// Data appear one cycle after the read.
module register_cache import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned Lanes       = 32,
  parameter int unsigned LaneWidth   = 32
) (
  input  logic                            clk_i,
  input  logic       [NumCacheBanks-1:0]  read_i,
  input  slot_t      [NumCacheBanks-1:0]  read_slot_i,
  output logic       [NumCacheBanks-1:0][Lanes-1:0][LaneWidth-1:0] read_data_o,
  // fills
  input  logic       [NumCacheBanks-1:0]  fill_i,
  input  main_bank_t [NumCacheBanks-1:0]  fill_lane_i,
  input  slot_t      [NumMainBanks-1:0]   lane_slot_i,
  input  logic       [NumMainBanks-1:0][Lanes-1:0][LaneWidth-1:0] lane_data_i,
  // results, never to a bank that is filled
  input  logic       [ResultWidth-1:0]    result_i,
  input  location_t  [ResultWidth-1:0]    result_location_i,
  input  logic       [ResultWidth-1:0][Lanes-1:0] result_mask_i,
  input  logic       [ResultWidth-1:0][Lanes-1:0][LaneWidth-1:0] result_data_i,
  output logic       [NumCacheBanks-1:0]  write_o
);

  localparam int unsigned PortBits = (ResultWidth > 1) ? $clog2(ResultWidth) : 1;

  logic   [NumCacheBanks-1:0]               result_write;
  logic   [NumCacheBanks-1:0][PortBits-1:0] result_port;
  slot_t  [NumCacheBanks-1:0]               write_slot;
  logic   [NumCacheBanks-1:0][Lanes-1:0]    write_mask;

  always_comb begin : sort_results
    result_write = '0;
    result_port  = '0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (result_i[p]) begin
        result_write[result_location_i[p].cache_bank] = 1'b1;
        result_port[result_location_i[p].cache_bank]  = PortBits'(p);
      end
    end
  end

  assign write_o = fill_i | result_write;

  for (genvar c = 0; c < NumCacheBanks; c++) begin : gen_banks
    logic [Lanes-1:0][LaneWidth-1:0] write_data;

    assign write_slot[c] = fill_i[c] ? lane_slot_i[fill_lane_i[c]]
                                     : result_location_i[result_port[c]].slot;
    assign write_mask[c] = fill_i[c] ? '1 : result_mask_i[result_port[c]];
    assign write_data    = fill_i[c] ? lane_data_i[fill_lane_i[c]] : result_data_i[result_port[c]];

    sram_1r1w #(
      .Rows    (NumSlots),
      .Lanes   (Lanes),
      .LaneBits(LaneWidth)
    ) u_sram (
      .clk_i,
      .read_i         (read_i[c]),
      .read_address_i (read_slot_i[c]),
      .read_data_o    (read_data_o[c]),
      .write_i        (write_o[c]),
      .write_address_i(write_slot[c]),
      .lane_mask_i    (write_mask[c]),
      .write_data_i   (write_data)
    );
  end

endmodule
