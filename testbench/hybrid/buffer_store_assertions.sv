// What the entries that are switched off have lost is known, and nobody reads it.
module buffer_store_assertions
  import hybrid_pkg::*;
#(
  parameter int unsigned Rows = 8
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            upper_on_i,
  input array_set_t      read_i,
  input slot_t           read_slot_i [ArraysPerBank],
  input logic [Rows-1:0] kept_i [ArraysPerBank]
);

  logic off_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      off_q <= 1'b0;
    end else begin
      off_q <= !upper_on_i;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned a = 0; a < ArraysPerBank; a++) begin
        LostWithPower :
        assert (!off_q || kept_i[a] == '0)
        else $error("LostWithPower: array %0d keeps rows %b", a, kept_i[a]);
        ReadIsKept :
        assert (!read_i[a] || read_slot_i[a] < slot_t'(AlwaysOn) ||
                kept_i[a][read_slot_i[a][SlotBits-1:ArrayBits]])
        else $error("ReadIsKept: entry %0d has lost what it held", read_slot_i[a]);
      end
    end
  end

endmodule
