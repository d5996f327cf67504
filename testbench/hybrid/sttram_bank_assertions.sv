// A bank takes one kind of access at a time, only when it is free, and stays occupied as long as
// that takes; its read data come when they are due.
module sttram_bank_assertions (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [7:0] read_cycles_i,
  input logic [7:0] write_cycles_i,
  input logic       ready_i,
  input logic       reads_i,
  input logic       write_i,
  input logic       read_valid_i
);

  // Counted apart from the bank's own registers.
  logic [8:0] occupied_q, until_data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      occupied_q   <= '0;
      until_data_q <= '0;
    end else begin
      if (write_i) occupied_q <= 9'(write_cycles_i) - 9'd1;
      else if (reads_i) occupied_q <= 9'(read_cycles_i) - 9'd1;
      else if (occupied_q != '0) occupied_q <= occupied_q - 9'd1;
      if (reads_i) until_data_q <= 9'(read_cycles_i);
      else if (until_data_q != '0) until_data_q <= until_data_q - 9'd1;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      ReadOrWrite :
      assert (!(reads_i && write_i))
      else $error("ReadOrWrite: a read and a write in one cycle");
      AccessOnlyFree :
      assert (!(reads_i || write_i) || occupied_q == '0)
      else $error("AccessOnlyFree: an access begins %0d cycles too early", occupied_q);
      ReadyOnTime :
      assert (ready_i == (occupied_q == '0))
      else $error("ReadyOnTime: ready %b with %0d cycles to go", ready_i, occupied_q);
      DataOnTime :
      assert (read_valid_i == (until_data_q == 9'd1))
      else $error("DataOnTime: data %b with %0d cycles to go", read_valid_i, until_data_q);
      CyclesPositive :
      assert (read_cycles_i != '0 && write_cycles_i != '0)
      else $error("CyclesPositive: reads and writes take at least one cycle");
    end
  end

endmodule
