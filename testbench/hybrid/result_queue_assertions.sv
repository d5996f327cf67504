// The result queue neither overflows nor gives what it does not hold, and gives results in their
// order.
//
// The order is checked with a number that each result gets at its handshake.
module result_queue_assertions #(
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned Places      = 4
) (
  input logic                                          clk_i,
  input logic                                          rst_ni,
  input logic [ResultWidth-1:0]                        accept_i,
  input logic [ResultWidth-1:0]                        ready_i,
  input logic [$clog2(Places)-1:0]                     place_i [ResultWidth],
  input logic                                          pop_i,
  input logic [$clog2(Places)-1:0]                     head_i,
  input logic [$clog2(Places):0]                       count_i
);

  logic [15:0] entered_q, left_q;  // results so far
  logic [15:0] number_q [Places];
  logic [15:0] number [ResultWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      entered_q <= '0;
      left_q    <= '0;
    end else begin
      entered_q <= entered_q + 16'($countones(accept_i));
      left_q    <= left_q + 16'(pop_i);
    end
  end

  for (genvar p = 0; p < ResultWidth; p++) begin : gen_number
    if (p == 0) begin : gen_first
      assign number[p] = entered_q;
    end else begin : gen_next
      assign number[p] = number[p-1] + 16'(accept_i[p-1]);
    end
  end

  always_ff @(posedge clk_i) begin : numbers
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (accept_i[p]) number_q[place_i[p]] <= number[p];
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      CountIsHeld :
      assert (16'(count_i) == entered_q - left_q)
      else $error("CountIsHeld: %0d counted, %0d there", count_i, entered_q - left_q);
      NoOverflow :
      assert (32'(count_i) + $countones(accept_i) <= Places)
      else $error("NoOverflow: %0d results and %0d more", count_i, $countones(accept_i));
      NoUnderflow :
      assert (!pop_i || count_i != '0)
      else $error("NoUnderflow: a result leaves an empty queue");
      OldestFirst :
      assert (!pop_i || number_q[head_i] == left_q)
      else $error("OldestFirst: result %0d leaves, %0d is due", number_q[head_i], left_q);
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        ReadyIsFree :
        assert (ready_i[p] == (Places - 32'(count_i) > p))
        else $error("ReadyIsFree: port %0d ready %b with %0d results", p, ready_i[p], count_i);
      end
    end
  end

endmodule
