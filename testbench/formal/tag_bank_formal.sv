// The entries of one set and one register of the bank that the solver chooses: where each is, from
// what was done with it, and that nothing that is not elsewhere leaves without being said.
module tag_bank_formal
  import cerf_pkg::*;
#(
  parameter  int unsigned Ways     = 4,
  localparam int unsigned Sets     = EntriesPerBank / Ways,
  localparam int unsigned SetBits  = $clog2(Sets),
  localparam int unsigned AgeBits  = $clog2(Ways),
  localparam int unsigned TagWidth = LineAddressBits - TagBankBits - SetBits,
  localparam int unsigned RowSlots = $clog2(ExitRows)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          fair_i,
  input op_e                           op_i,
  input line_t                         line_i,
  input logic                          dead_i,
  input logic                          full_i,
  input logic                          commit_i,
  input logic                          hit_i,
  input logic                          evict_i,
  input logic                          spilled_i,
  input logic                          returning_i,
  input logic                          placed_i,
  input state_e                        before_i,
  input row_t                          row_i,
  input line_t                         evicted_i,
  input logic                          frees_i,
  input exit_group_t                   free_group_i,
  input exit_rows_t                    free_rows_i,
  input logic                          free_waits_i,
  input exit_rows_t                    ended_i,
  input logic [RowBits:0]              registers_i,
  input logic [RowBits:0]              lines_i,
  // what the bank keeps
  input state_e                        state_i [Sets][Ways],
  input logic [Ways-1:0][TagWidth-1:0] tag_i [Sets],
  input logic [Ways-1:0][AgeBits-1:0]  age_i [Sets],
  input logic [EntriesPerBank-1:0]     in_memory_i,
  input logic [EntriesPerBank-1:0]     on_its_way_i
);

  typedef enum logic [1:0] {
    Nowhere   = 2'd0,
    Here      = 2'd1,
    Memory    = 2'd2,
    Returning = 2'd3
  } where_e;

  // ---- what the solver chooses: what the line is in the cycle of reset ----
  row_t               register_q;  // any register; its set is the one that is looked at
  logic [AgeBits-1:0] way_q;       // any way of that set
  logic [SetBits-1:0] set;

  assign set = register_q[SetBits-1:0];

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) begin
      register_q <= line_i[TagBankBits+:RowBits];
      way_q      <= line_i[TagBankBits+RowBits+:AgeBits];
    end
  end

  // ---- the operation ----
  logic       of_register, of_line, mine, freed, done, ends_other, uses;
  row_t       looked_up, evicted, first_freed;
  exit_rows_t my_row;

  assign looked_up   = line_i[TagBankBits+:RowBits];
  assign of_register = op_i == OpReadReg || op_i == OpWriteReg || op_i == OpRefill;
  assign of_line     = op_i == OpFill || op_i == OpLoad || op_i == OpStore || op_i == OpBypass;
  assign mine        = of_register && looked_up == register_q;
  assign evicted     = evicted_i[TagBankBits+:RowBits];
  assign first_freed = {free_group_i, RowSlots'(0)};
  assign my_row      = exit_rows_t'(1) << register_q[RowSlots-1:0];
  assign freed       = register_q[RowBits-1:RowSlots] == first_freed[RowBits-1:RowSlots] &&
                       (free_rows_i & my_row) != '0;
  assign done        = commit_i && !evict_i;
  // The operation's entry is that of a register that ends.
  assign ends_other  = frees_i && before_i == StReg && free_rows_i[evicted[RowSlots-1:0]] &&
                       evicted[RowBits-1:RowSlots] == free_group_i;
  assign uses        = done && placed_i && op_i != OpBypass && op_i != OpFlush &&
                       !(op_i == OpReadReg && dead_i);

  // ---- the register ----
  where_e          where_q;
  logic [Ways-1:0] entry_is_mine;

  always_ff @(posedge clk_i or negedge rst_ni) begin : follow
    if (!rst_ni) begin
      where_q <= Nowhere;
    end else if (commit_i && evict_i && before_i == StReg && evicted == register_q) begin
      where_q <= Memory;
    end else if (done && mine) begin
      unique case (op_i)
        OpReadReg: begin
          if (where_q == Memory) where_q <= Returning;
          else if (where_q == Here && dead_i) where_q <= Nowhere;
        end
        OpWriteReg: begin
          if (where_q == Memory && !full_i) where_q <= Returning;
          else if (where_q != Returning) where_q <= Here;
        end
        default: where_q <= Here;
      endcase
    end else if (frees_i && freed && where_q != Returning) begin
      where_q <= Nowhere;
    end
  end

  // ---- the counts, by what the operation's entry was and is ----
  logic             changed_q;
  state_e           before_q, now;
  row_t             row_q;
  logic [RowBits:0] registers_q, lines_q, ended_q;

  assign now = state_i[row_q[RowBits-1:AgeBits]][row_q[AgeBits-1:0]];

  always_ff @(posedge clk_i) begin : counts
    changed_q   <= commit_i && placed_i;
    before_q    <= state_i[row_i[RowBits-1:AgeBits]][row_i[AgeBits-1:0]];
    row_q       <= row_i;
    registers_q <= registers_i;
    lines_q     <= lines_i;
    ended_q     <= (RowBits + 1)'($countones(ended_i));
  end

  // ---- the set ----
  logic [Ways-1:0]               holds, same, wrong_kind;
  logic [Ways-1:0]               seen [Ways+1];  // ages of the ways below
  logic [Ways-1:0][AgeBits-1:0]  age_q;
  state_e                        state, state_q;
  logic [TagWidth-1:0]           tag, tag_q;
  logic                          leaves, dies_q, said_q, fair_q, started_q, placed_q, used_q;
  logic                          touched_q;
  logic [TagWidth-1:0]           placed_tag_q;
  logic                          register_placed_q;

  assign state   = state_i[set][way_q];
  assign tag     = tag_i[set][way_q];
  assign seen[0] = '0;

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [Ways-1:0] twin;

    assign holds[w]         = state_i[set][w] != StInactive;
    assign entry_is_mine[w] = state_i[set][w] == StReg &&
                              tag_i[set][w][AgeBits-1:0] == register_q[RowBits-1:SetBits];
    assign wrong_kind[w]    = holds[w] &&
                              (state_i[set][w] == StReg) !=
                              (tag_i[set][w][TagWidth-1-:PrefixBits] == RegisterPrefix);
    assign seen[w+1]        = seen[w] | Ways'(1) << age_i[set][w];

    for (genvar v = 0; v < Ways; v++) begin : gen_other
      assign twin[v] = v != w && holds[v] && holds[w] && tag_i[set][v] == tag_i[set][w];
    end
    assign same[w] = twin != '0;
  end

  // The entry, and what was done with it in the cycle before.
  assign leaves = state_q != StInactive && (state == StInactive || tag != tag_q ||
                                            (state == StReg) != (state_q == StReg));

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      started_q <= 1'b0;
      dies_q    <= 1'b0;
      said_q    <= 1'b0;
      placed_q  <= 1'b0;
      used_q    <= 1'b0;
      touched_q <= 1'b0;
    end else begin
      started_q <= 1'b1;
      dies_q    <= (done && placed_i && op_i == OpReadReg && dead_i && row_i == {set, way_q}) ||
                   (frees_i && free_rows_i[set[RowSlots-1:0]] && state == StReg &&
                    {tag[AgeBits-1:0], set[SetBits-1:RowSlots]} == free_group_i);
      said_q    <= commit_i && evict_i && row_i == {set, way_q} &&
                   evicted_i[LineAddressBits-1:TagBankBits] == {tag, set};
      placed_q  <= uses && row_i == {set, way_q} &&
                   (op_i == OpWriteReg || op_i == OpRefill || op_i == OpFill || op_i == OpStore);
      used_q    <= uses && row_i == {set, way_q};
      touched_q <= uses && row_i[RowBits-1:AgeBits] == set;
    end
  end

  always_ff @(posedge clk_i) begin : past_entry
    state_q           <= state;
    tag_q             <= tag;
    age_q             <= age_i[set];
    fair_q            <= fair_i;
    placed_tag_q      <= line_i[LineAddressBits-1:TagBankBits+SetBits];
    register_placed_q <= of_register;
  end

  always_comb begin : checks
    if (rst_ni) begin
      FairHeld : assume (!started_q || fair_i == fair_q);
      LineByKind : assume (!of_register || is_register(line_i));
      LineIsOutside : assume (!of_line || !is_register(line_i));
      RefillOnlyReturning :
      assume (!commit_i || op_i != OpRefill || (fair_i && on_its_way_i[looked_up] && !hit_i));
      RegisterHasAPlace :
      assume (!commit_i || op_i != OpWriteReg || placed_i || in_memory_i[looked_up] ||
              on_its_way_i[looked_up]);
      FillIsNotThere : assume (!commit_i || op_i != OpFill || !hit_i);
      EndsBesideOthers : assume (!commit_i || !placed_i || !ends_other);

      OneEntryALine : assert (same == '0);
      LookUpTells :
      assert (!mine || (hit_i == (where_q == Here) &&
                        spilled_i == (where_q == Memory && (op_i == OpReadReg ||
                                                            (op_i == OpWriteReg && !full_i))) &&
                        returning_i == (where_q == Returning && op_i != OpRefill)));
      RegistersStay :
      assert (!started_q || fair_q || state_q != StReg || !leaves || dies_q);
      RegisterIsSpilled :
      assert (!started_q || state_q != StReg || !leaves || dies_q || said_q);
      DirtyIsWrittenBack :
      assert (!started_q || state_q != StDirty || !(leaves || state != StDirty) || said_q);
      EntryHoldsItsLine :
      assert (!placed_q || (tag == placed_tag_q && state != StInactive &&
                            (state == StReg) == register_placed_q));
      EndedTells :
      assert (!freed || ((ended_i & my_row) != '0) == (frees_i && where_q == Here));
      WaitsForReturn : assert (!freed || where_q != Returning || free_waits_i);
      RegistersAreCounted :
      assert (started_q ? registers_i == registers_q - ended_q -
                          (RowBits + 1)'(changed_q && before_q == StReg) +
                          (RowBits + 1)'(changed_q && now == StReg) : registers_i == '0);
      LinesAreCounted :
      assert (started_q ? lines_i == lines_q -
                          (RowBits + 1)'(changed_q && is_line(before_q)) +
                          (RowBits + 1)'(changed_q && is_line(now)) : lines_i == '0);
      AgesArePermutation : assert (seen[Ways] == '1);
      OrderByUse :
      assert (!started_q || (used_q ? age_i[set][way_q] == '0 : touched_q || age_i[set] == age_q));

      KindOfTag : assert (wrong_kind == '0);
      WhereAgrees :
      assert ((entry_is_mine != '0) == (where_q == Here) &&
              in_memory_i[register_q] == (where_q == Memory) &&
              on_its_way_i[register_q] == (where_q == Returning));
      OnlyFairSpills : assert (fair_i || where_q == Nowhere || where_q == Here);
      ComesBack : cover (done && mine && op_i == OpRefill && placed_i);
    end
  end

endmodule

bind tag_bank tag_bank_formal #(
  .Ways(Ways)
) u_formal (
  .clk_i,
  .rst_ni,
  .fair_i,
  .op_i,
  .line_i,
  .dead_i,
  .full_i,
  .commit_i,
  .hit_i       (hit_o),
  .evict_i     (evict_o),
  .spilled_i   (spilled_o),
  .returning_i (returning_o),
  .placed_i    (placed_o),
  .before_i    (before_o),
  .row_i       (row_o),
  .evicted_i   (evicted_o),
  .frees_i,
  .free_group_i,
  .free_rows_i,
  .free_waits_i(free_waits_o),
  .ended_i     (ended_o),
  .registers_i (registers_o),
  .lines_i     (lines_o),
  .state_i     (state_q),
  .tag_i       (tag_q),
  .age_i       (age_q),
  .in_memory_i (spilled_q),
  .on_its_way_i(returning_q)
);
