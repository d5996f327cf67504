// First-in first-out queue with registered state and no combinational path through it.
//
// `data_o` is the oldest element while `valid_o` is high. A push in a cycle with `full_o` high is lost
// unless a pop in the same cycle makes room; the user keeps to the flags. The storage has no reset.
module fifo #(
  parameter  int unsigned Width     = 32,
  parameter  int unsigned Depth     = 4,
  localparam int unsigned CountBits = $clog2(Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 push_i,
  input  logic [Width-1:0]     data_i,
  input  logic                 pop_i,
  output logic [Width-1:0]     data_o,
  output logic                 valid_o,
  output logic                 full_o,
  output logic [CountBits-1:0] count_o
);

  localparam int unsigned PointerBits = (Depth > 1) ? $clog2(Depth) : 1;
  typedef logic [PointerBits-1:0] pointer_t;

  logic [Width-1:0]     memory_q [Depth];
  pointer_t             head_q, tail_q;
  logic [CountBits-1:0] count_q;
  logic                 do_pop, do_push;

  assign valid_o = count_q != '0;
  assign full_o  = count_q == CountBits'(Depth);
  assign count_o = count_q;
  assign data_o  = memory_q[head_q];
  assign do_pop  = pop_i && valid_o;
  assign do_push = push_i && (!full_o || do_pop);

  function automatic pointer_t next(pointer_t pointer);
    return (pointer == pointer_t'(Depth - 1)) ? '0 : pointer + pointer_t'(1);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (do_pop) head_q <= next(head_q);
      if (do_push) tail_q <= next(tail_q);
      count_q <= count_q + CountBits'(do_push) - CountBits'(do_pop);
    end
  end

  always_ff @(posedge clk_i) begin : storage
    if (do_push) memory_q[tail_q] <= data_i;
  end

endmodule
