// A line has one register; a register is taken and left once.
module mshr_file_assertions
  import cerf_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic [NumMshrs-1:0] in_use_i,
  input logic [NumMshrs-1:0] closed_i,
  input logic [NumMshrs-1:0] match_i,
  input logic                joinable_i,
  input logic                allocate_i,
  input line_t               allocate_line_i,
  input line_t               line_i [NumMshrs],
  input logic                join_i,
  input mshr_t               returned_i,
  input logic                close_i,
  input logic                release_i
);

  logic [NumMshrs-1:0] same;

  for (genvar m = 0; m < NumMshrs; m++) begin : gen_same
    assign same[m] = in_use_i[m] && line_i[m] == allocate_line_i;
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneRegisterALine :
      assert ($onehot0(match_i))
      else $error("OneRegisterALine: %h", match_i);
      AllocateOnlyNew :
      assert (!allocate_i || same == '0)
      else $error("AllocateOnlyNew: the line has register %h", same);
      JoinOnlyJoinable :
      assert (!join_i || joinable_i)
      else $error("JoinOnlyJoinable: %h", match_i);
      ReturnOnlyWaiting :
      assert (!close_i || (in_use_i[returned_i] && !closed_i[returned_i]))
      else $error("ReturnOnlyWaiting: register %0d", returned_i);
      ReleaseOnlyReturned :
      assert (!release_i || closed_i[returned_i])
      else $error("ReleaseOnlyReturned: register %0d", returned_i);
    end
  end

endmodule
