// What holds for every entry under each policy, and for the order of every set.
module tag_bank_assertions
  import cerf_pkg::*;
#(
  parameter  int unsigned Ways    = 4,
  parameter  int unsigned TagWidth = 1,   // of an entry
  parameter  int unsigned TagBits = 0,    // of all entries
  parameter  int unsigned StateBits = 0,  // of all entries
  localparam int unsigned Sets    = EntriesPerBank / Ways,
  localparam int unsigned SetBits = $clog2(Sets),
  localparam int unsigned AgeBits = $clog2(Ways)
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         fair_i,
  input op_e                          op_i,
  input line_t                        line_i,
  input logic                         dead_i,
  input logic                         commit_i,
  input logic [Ways-1:0]              match_i,
  input logic                         hit_i,
  input logic                         evict_i,
  input logic                         placed_i,
  input logic                         spilled_i,    // the operation's register is in memory
  input logic                         returning_i,  // or on its way back
  input state_e                       before_i,
  input state_e                       after_i,
  input logic                         leaves_i,     // the operation makes its entry inactive
  input logic [Ways-1:0][AgeBits-1:0] age_i,
  input logic [RowBits:0]             registers_i,
  input logic [RowBits:0]             lines_i,
  input state_e                       state_i [Sets][Ways],  // of all entries
  input logic [SetBits-1:0]           set_i,
  input logic [Ways-1:0]              chosen_i,     // the operation's entry
  input logic                         frees_i,      // registers of a warp that has ended
  input exit_group_t                  group_i,
  input exit_rows_t                   rows_i,
  input logic [Ways-1:0]              ends_i [ExitRows],
  input logic [Ways-1:0][TagWidth-1:0] tag_i [Sets],
  input logic [EntriesPerBank-1:0]    away_i        // spilled or returning
);

  // Section III-E: 130.375 KB of data, tags and states.
  localparam int unsigned DataBits = BanksPerGroup * EntriesPerBank * BankBytes * 8;
  if (Ways == 4 && NumTagBanks * (DataBits + TagBits + StateBits) !=
      8 * (130 * 1024 + 384)) begin : gen_storage
    $fatal(1, "the storage is %0d bits", NumTagBanks * (DataBits + TagBits + StateBits));
  end

  logic [Ways-1:0] ages;
  logic            concerns_line, of_register, changed_q, freed_q, hits_freed, stays;
  logic            started_q, fair_q;
  exit_group_t     group_q;
  exit_rows_t      rows_q;
  logic [RowBits:0] register_entries, line_entries;

  always_comb begin : seen
    ages = '0;
    for (int unsigned w = 0; w < Ways; w++) ages[age_i[w]] = 1'b1;
  end

  assign concerns_line = op_i == OpFill || op_i == OpLoad || op_i == OpStore || op_i == OpBypass ||
                         op_i == OpFlush;
  assign of_register   = op_i == OpReadReg || op_i == OpWriteReg || op_i == OpRefill;

  always_ff @(posedge clk_i or negedge rst_ni) begin : remember
    if (!rst_ni) begin
      started_q <= 1'b0;
      fair_q    <= 1'b0;
      changed_q <= 1'b0;
      freed_q   <= 1'b0;
      group_q   <= '0;
      rows_q    <= '0;
    end else begin
      started_q <= 1'b1;
      fair_q    <= fair_i;
      changed_q <= frees_i || (commit_i && placed_i && before_i != after_i);
      freed_q   <= frees_i;
      group_q   <= group_i;
      rows_q    <= rows_i;
    end
  end

  // What is freed and what the operation changes, and what is left of registers just freed.
  always_comb begin : ended
    hits_freed = 1'b0;
    stays      = 1'b0;
    for (int unsigned r = 0; r < ExitRows; r++) begin
      row_t register;
      register = {group_i, ($clog2(ExitRows))'(r)};
      if (register[SetBits-1:0] == set_i && (ends_i[r] & chosen_i) != '0) hits_freed = 1'b1;
      register = {group_q, ($clog2(ExitRows))'(r)};
      if (freed_q && rows_q[r]) begin
        if (away_i[register]) stays = 1'b1;
        for (int unsigned w = 0; w < Ways; w++) begin
          if (state_i[register[SetBits-1:0]][w] == StReg &&
              tag_i[register[SetBits-1:0]][w][AgeBits-1:0] == register[RowBits-1:SetBits]) begin
            stays = 1'b1;
          end
        end
      end
    end
  end

  always_comb begin : count
    register_entries = '0;
    line_entries     = '0;
    if (changed_q) begin
      for (int unsigned s = 0; s < Sets; s++) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          register_entries = register_entries + (RowBits + 1)'(state_i[s][w] == StReg);
          line_entries     = line_entries + (RowBits + 1)'(is_line(state_i[s][w]));
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && op_i != OpNone) begin
      OneEntryAnAddress :
      assert ($onehot0(match_i))
      else $error("OneEntryAnAddress: ways %b hold the same address", match_i);
      AgesArePermutation :
      assert (ages == '1)
      else $error("AgesArePermutation: ages %p", age_i);
      LineIsNoRegister :
      assert (!(concerns_line && hit_i && before_i == StReg))
      else $error("LineIsNoRegister: a line was found in an entry of state reg");
      RegisterIsNoLine :
      assert (!(of_register && hit_i && before_i != StReg))
      else $error("RegisterIsNoLine: a register was found in an entry of state %0d", before_i);
    end
    if (rst_ni) begin
      FairHeld :
      assert (!started_q || fair_i == fair_q)
      else $error("FairHeld: the policy changes");
      LineByKind :
      assert (!of_register || is_register(line_i))
      else $error("LineByKind: operation %0d on line %h, which is no register", op_i, line_i);
      LineIsOutside :
      assert (!concerns_line || op_i == OpFlush || !is_register(line_i))
      else $error("LineIsOutside: operation %0d on line %h of a register", op_i, line_i);
    end
    if (rst_ni && of_register) begin
      OnePlaceARegister :
      assert ($countones({hit_i, spilled_i, returning_i}) <= 1)
      else $error("OnePlaceARegister: here %b, spilled %b, returning %b",
                  hit_i, spilled_i, returning_i);
    end
    if (rst_ni && commit_i) begin
      RegisterIsNeverReplaced :
      assert (fair_i || !(placed_i && !hit_i && before_i == StReg))
      else $error("RegisterIsNeverReplaced: operation %0d takes a register's entry", op_i);
      RegisterIsSpilled :
      assert (!(placed_i && !hit_i && before_i == StReg && !evict_i))
      else $error("RegisterIsSpilled: operation %0d drops a register", op_i);
      RefillOnlyReturning :
      assert (op_i != OpRefill || (fair_i && returning_i && !hit_i))
      else $error("RefillOnlyReturning: a register came back that nobody fetched");
      EndsBesideOthers :
      assert (!(placed_i && hits_freed))
      else $error("EndsBesideOthers: operation %0d has the entry of a freed register", op_i);
      RegisterHasAPlace :
      assert (!(op_i == OpWriteReg && !placed_i && !spilled_i && !returning_i))
      else $error("RegisterHasAPlace: a result found no entry");
      RegisterDiesOnlyByDeadBit :
      assert (!(placed_i && hit_i && before_i == StReg && after_i != StReg) ||
              (op_i == OpReadReg && dead_i && !fair_i))
      else $error("RegisterDiesOnlyByDeadBit: operation %0d frees a register", op_i);
      DirtyIsWrittenBack :
      assert (!(placed_i && before_i == StDirty && after_i != StDirty && !evict_i))
      else $error("DirtyIsWrittenBack: operation %0d drops a dirty line", op_i);
      DirtyOnlyByStore :
      assert (!(placed_i && before_i != StDirty && after_i == StDirty) || op_i == OpStore)
      else $error("DirtyOnlyByStore: operation %0d makes an entry dirty", op_i);
      LeavesAsItsState :
      assert (!placed_i || leaves_i == (after_i == StInactive))
      else $error("LeavesAsItsState: operation %0d leaves its entry in state %0d", op_i, after_i);
      EvictsWhatIsThere :
      assert (!evict_i || (placed_i && (before_i == StDirty || before_i == StReg)))
      else $error("EvictsWhatIsThere: operation %0d evicts an entry of state %0d", op_i, before_i);
      FillIsNotThere :
      assert (!(op_i == OpFill && hit_i))
      else $error("FillIsNotThere: a line came back that is there already");
    end
    if (rst_ni && freed_q) begin
      NothingStaysOfEnded :
      assert (!stays)
      else $error("NothingStaysOfEnded: of registers %b of group %0d", rows_q, group_q);
    end
    if (rst_ni && changed_q) begin
      EntriesAreCounted :
      assert (registers_i == register_entries && lines_i == line_entries)
      else $error("EntriesAreCounted: %0d registers and %0d lines, there are %0d and %0d",
                  registers_i, lines_i, register_entries, line_entries);
    end
  end

endmodule
