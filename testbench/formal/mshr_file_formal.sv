// One register that the solver chooses, against what was asked of it; and that a line has one only.
module mshr_file_formal
  import cerf_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input line_t               line_i,
  input logic                pending_i,
  input logic                joinable_i,
  input mshr_t               match_i,
  input merge_t              slot_i,
  input logic                free_i,
  input mshr_t               first_free_i,
  input logic                allocate_i,
  input line_t               allocate_line_i,
  input logic                fetches_i,
  input logic                join_i,
  input line_t               deposit_line_i,
  input mshr_t               deposit_match_i,
  input logic                deposit_open_i,
  input mshr_t               returned_i,
  input logic                close_i,
  input logic                release_i,
  input line_t               returned_line_i,
  input logic                returned_fetches_i,
  input merge_t              returned_last_i,
  input logic [5:0]          used_i,
  // what the file keeps
  input logic [NumMshrs-1:0] in_use_i,
  input logic [NumMshrs-1:0] closed_i,
  input line_t               kept_line_i [NumMshrs],
  input logic [NumMshrs-1:0] fetches_kept_i,
  input merge_t              kept_last_i [NumMshrs]
);

  mshr_t               other_q;  // any too, so what is not this one is none but `one_q`
  mshr_t               one_q;  // any: what returns in the cycle of reset
  logic                there_q, closed_q, fetches_q;
  line_t               line_q;
  logic [MergeBits:0]  requests_q;  // that wait for the line of this register
  logic                taken, joined, released;
  logic                twin;  // the other one has the same line
  logic [NumMshrs-1:0] held;  // registers of the line that comes
  logic [5:0]          used_q;      // registers that were taken and not released

  assign taken    = allocate_i && first_free_i == one_q;
  assign joined   = join_i && match_i == one_q;
  assign released = release_i && returned_i == one_q;
  assign twin     = other_q != one_q && in_use_i[other_q] && there_q &&
                    kept_line_i[other_q] == line_q;

  for (genvar m = 0; m < NumMshrs; m++) begin : gen_other
    assign held[m] = in_use_i[m] && kept_line_i[m] == allocate_line_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) begin
      there_q <= 1'b0;
      used_q  <= '0;
    end else begin
      there_q <= taken || (there_q && !released);
      used_q  <= used_q + 6'(allocate_i) - 6'(release_i);
    end
  end

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) begin
      one_q   <= returned_i;
      other_q <= mshr_t'(line_i);
    end
  end

  always_ff @(posedge clk_i) begin : past
    if (taken) begin
      line_q     <= allocate_line_i;
      fetches_q  <= fetches_i;
      closed_q   <= 1'b0;
      requests_q <= (MergeBits + 1)'(1);
    end else begin
      closed_q   <= closed_q || (close_i && returned_i == one_q);
      requests_q <= requests_q + (MergeBits + 1)'(joined);
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      TakeWithRoom : assume (!allocate_i || free_i);
      ReleasedIsInUse : assume (!release_i || in_use_i[returned_i]);
      ReleaseOnlyReturned : assume (!release_i || closed_i[returned_i]);
      AllocateOnlyNew : assume (!allocate_i || held == '0);
      JoinOnlyJoinable : assume (!join_i || joinable_i);
      FoundHasLine :
      assert (!pending_i || (in_use_i[match_i] && kept_line_i[match_i] == line_i));
      DepositHasLine :
      assert (!deposit_open_i ||
              (in_use_i[deposit_match_i] && kept_line_i[deposit_match_i] == deposit_line_i));
      OneRegisterALine : assert (!twin);
      NeverTwice : assert (!taken || !there_q);
      LineFound :
      assert (!there_q || line_i != line_q ||
              (pending_i && (match_i == one_q || match_i != other_q)));
      LineOfNumber :
      assert (!there_q || returned_i != one_q ||
              (returned_line_i == line_q && returned_fetches_i == fetches_q));
      LastTells :
      assert (!there_q || returned_i != one_q ||
              (MergeBits + 1)'(returned_last_i) + (MergeBits + 1)'(1) == requests_q);
      NextPlace :
      assert (!there_q || !joinable_i || match_i != one_q ||
              (MergeBits + 1)'(slot_i) == requests_q);
      JoinsWhileOpen :
      assert (!there_q || match_i != one_q || line_i != line_q ||
              joinable_i == (fetches_q && !closed_q && 32'(requests_q) < NumMerges));
      DepositsWhileOpen :
      assert (!there_q || deposit_line_i != line_q ||
              (deposit_match_i != other_q || deposit_match_i == one_q) &&
              (deposit_match_i != one_q ||
               deposit_open_i == (!closed_q && !(close_i && returned_i == one_q))));
      UsedTells : assert (used_i == used_q);
      KeptOfOne :
      assert (in_use_i[one_q] == there_q &&
              (!there_q || (kept_line_i[one_q] == line_q && closed_i[one_q] == closed_q &&
                            fetches_kept_i[one_q] == fetches_q && requests_q != '0 &&
                            (MergeBits + 1)'(kept_last_i[one_q]) + (MergeBits + 1)'(1) ==
                                requests_q)));
      ClosedAndAnother : cover (there_q && closed_q && 32'(requests_q) == 2 && used_i == 6'd2);
    end
  end

endmodule

bind mshr_file mshr_file_formal u_formal (
  .clk_i,
  .rst_ni,
  .line_i,
  .pending_i         (pending_o),
  .joinable_i        (joinable_o),
  .match_i           (match_o),
  .slot_i            (slot_o),
  .free_i            (free_o),
  .first_free_i      (first_free_o),
  .allocate_i,
  .allocate_line_i,
  .fetches_i,
  .join_i,
  .deposit_line_i,
  .deposit_match_i   (deposit_match_o),
  .deposit_open_i    (deposit_open_o),
  .returned_i,
  .close_i,
  .release_i,
  .returned_line_i   (returned_line_o),
  .returned_fetches_i(returned_fetches_o),
  .returned_last_i   (returned_last_o),
  .used_i            (used_o),
  .in_use_i          (in_use),
  .closed_i          (closed_q),
  .kept_line_i       (line_q),
  .fetches_kept_i    (fetches_q),
  .kept_last_i       (last_q)
);
