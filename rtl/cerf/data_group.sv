// The data banks that one tag bank governs: 8 single-ported banks of 16 bytes side by side, a row
// of all of them being one entry of the integrated memory.
//
// The tagging stage hands over at most one access a cycle; the banks carry it out in the next
// cycle, and the data of a read are there in the one after, with the note for whom they are.
module data_group
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  // from the tagging stage
  input  logic       access_i,
  input  logic       write_i,
  input  row_t       row_i,
  input  bytes_t     byte_mask_i,
  input  data_t      data_i,
  input  target_e    target_i,
  input  collector_t collector_i,
  input  source_t    source_i,
  input  lower_t     entry_i,
  // data of a read
  output target_e    target_o,
  output collector_t collector_o,
  output source_t    source_o,
  output lower_t     entry_o,
  output data_t      data_o,
  output logic       busy_o     // the banks were used in the cycle before
);

  typedef logic [BanksPerGroup-1:0][BankBytes-1:0][7:0] group_data_t;

  logic        access_q, write_q, busy_q;
  row_t        row_q;
  bytes_t      byte_mask_q;
  data_t       data_q;
  target_e     target_q, read_target_q;
  collector_t  collector_q, read_collector_q;
  source_t     source_q, read_source_q;
  lower_t      entry_q, read_entry_q;
  group_data_t write_data, read_data;

  assign write_data = data_q;

  for (genvar b = 0; b < BanksPerGroup; b++) begin : gen_bank
    sram_1rw #(
      .Rows    (EntriesPerBank),
      .Lanes   (BankBytes),
      .LaneBits(8)
    ) u_bank (
      .clk_i,
      .request_i   (access_q),
      .write_i     (write_q),
      .address_i   (row_q),
      .lane_mask_i (byte_mask_q[b*BankBytes+:BankBytes]),
      .write_data_i(write_data[b]),
      .read_data_o (read_data[b])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      access_q      <= 1'b0;
      busy_q        <= 1'b0;
      target_q      <= ToNobody;
      read_target_q <= ToNobody;
    end else begin
      access_q      <= access_i;
      busy_q        <= access_q;
      target_q      <= access_i ? target_i : ToNobody;
      read_target_q <= target_q;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (access_i) begin
      write_q     <= write_i;
      row_q       <= row_i;
      collector_q <= collector_i;
      source_q    <= source_i;
      entry_q     <= entry_i;
      if (write_i) begin
        byte_mask_q <= byte_mask_i;
        data_q      <= data_i;
      end
    end
    if (access_q) begin
      read_collector_q <= collector_q;
      read_source_q    <= source_q;
      read_entry_q     <= entry_q;
    end
  end

  assign target_o    = read_target_q;
  assign collector_o = read_collector_q;
  assign source_o    = read_source_q;
  assign entry_o     = read_entry_q;
  assign data_o      = read_data;
  assign busy_o      = busy_q;

endmodule
