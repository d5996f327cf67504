// Single-ported register-file bank whose access time is a configuration input.
//
// Not pipelined: an access taken in cycle t occupies the bank in cycles t to t + cycles_i - 1.
// `ready_o` says that the bank is free in this cycle. The data of a read taken in cycle t lie on
// `read_data_o` in cycle t + cycles_i, marked by `read_valid_o`. `busy_o` is registered: the bank
// was occupied in the cycle before.
//
// `eighths_i` are eighths of a cycle that an access takes beyond cycles_i, on average: they are
// summed up, and the access with which the sum reaches a whole cycle takes that cycle more.
module timed_bank #(
  parameter  int unsigned Rows        = 128,
  parameter  int unsigned Lanes       = 32,
  parameter  int unsigned LaneBits    = 32,
  localparam int unsigned AddressBits = (Rows > 1) ? $clog2(Rows) : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [7:0]                     cycles_i,
  input  logic [2:0]                     eighths_i,
  output logic                           ready_o,
  input  logic                           request_i,
  input  logic                           write_i,
  input  logic [AddressBits-1:0]         address_i,
  input  logic [Lanes-1:0]               lane_mask_i,
  input  logic [Lanes-1:0][LaneBits-1:0] write_data_i,
  output logic                           read_valid_o,
  output logic [Lanes-1:0][LaneBits-1:0] read_data_o,
  output logic                           busy_o
);

  logic [7:0] left_q;     // cycles for which the bank is still occupied, this one included
  logic       reading_q;  // the access under way is a read
  logic       read_valid_q, busy_q;
  logic [2:0] part_q, part_d;  // eighths that the accesses so far have left over
  logic       more;            // an access of this cycle takes one cycle more
  logic       access, last_cycle;

  assign ready_o      = left_q == 8'd0;
  assign access       = request_i && ready_o;
  assign {more, part_d} = {1'b0, part_q} + {1'b0, eighths_i};
  assign last_cycle   = access ? (cycles_i == 8'd1 && !more) : (left_q == 8'd1);
  assign read_valid_o = read_valid_q;
  assign busy_o       = busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      left_q       <= '0;
      part_q       <= '0;
      read_valid_q <= 1'b0;
      busy_q       <= 1'b0;
    end else begin
      busy_q       <= access || !ready_o;
      read_valid_q <= last_cycle && (access ? !write_i : reading_q);
      if (access) begin
        left_q <= cycles_i - 8'(!more);
        part_q <= part_d;
      end else if (!ready_o) begin
        left_q <= left_q - 8'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin : kind
    if (access) reading_q <= !write_i;
  end

  sram_1rw #(
    .Rows    (Rows),
    .Lanes   (Lanes),
    .LaneBits(LaneBits)
  ) u_sram (
    .clk_i,
    .request_i   (access),
    .write_i,
    .address_i,
    .lane_mask_i,
    .write_data_i,
    .read_data_o
  );

endmodule
