// Nothing is lost on the way to the memory below, and what is offered stays until it is taken.
module lower_queue_assertions
  import heddle_port_pkg::*;
#(
  parameter  int unsigned Depth     = 8,
  localparam int unsigned PlaceBits = $clog2(Depth)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 fill_i,
  input logic [PlaceBits-1:0] fill_place_i,
  input logic [Depth-1:0]     filled_i,      // the data are there
  input mem_lower_request_t   request_i,
  input logic                 taken_i
);

  mem_lower_request_t request_q;
  logic               stays_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : cycle_before
    if (!rst_ni) begin
      stays_q   <= 1'b0;
      request_q <= '0;
    end else begin
      stays_q   <= request_i.valid && !taken_i;
      request_q <= request_i;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OfferedStays :
      assert (!stays_q || request_i == request_q)
      else $error("OfferedStays: %h became %h", request_q, request_i);
      MovesSomething :
      assert (!request_i.valid || request_i.byte_mask != '0)
      else $error("MovesSomething: no byte of line %h", request_i.line);
      DataOnlyWhereDue :
      assert (!fill_i || !filled_i[fill_place_i])
      else $error("DataOnlyWhereDue: place %0d has its data", fill_place_i);
    end
  end

endmodule

bind lower_queue lower_queue_assertions #(
  .Depth(Depth)
) u_assertions (
  .clk_i,
  .rst_ni,
  .fill_i,
  .fill_place_i,
  .filled_i (ready_q),
  .request_i(request_o),
  .taken_i  (ready_i)
);
