// The transitions of an entry (figure 6), said by what it holds afterwards.
module entry_state_formal
  import cerf_pkg::*;
(
  input op_e    op_i,
  input logic   evict_i,
  input logic   dead_i,
  input state_e state_i,
  input state_e next_i
);

  logic leaves, stays;

  assign leaves = evict_i || op_i == OpBypass || op_i == OpFlush ||
                  (op_i == OpReadReg && dead_i);
  assign stays  = !leaves && (op_i == OpNone || op_i == OpLoad || op_i == OpReadReg ||
                             op_i > OpRefill);

  always_comb begin : checks
    LeavesNothing : assert (!leaves || next_i == StInactive);
    ReadsChangeNothing : assert (!stays || next_i == state_i);
    RegisterByWrite :
    assert ((next_i == StReg) == (stays ? state_i == StReg :
                                  !evict_i && (op_i == OpWriteReg || op_i == OpRefill)));
    CleanByFill :
    assert ((next_i == StCache) == (stays ? state_i == StCache : !evict_i && op_i == OpFill));
    DirtyByStore :
    assert ((next_i == StDirty) == (stays ? state_i == StDirty : !evict_i && op_i == OpStore));
    Overwritten : cover (state_i == StDirty && next_i == StReg);
  end

endmodule

bind entry_state entry_state_formal u_formal (
  .op_i,
  .evict_i,
  .dead_i,
  .state_i,
  .next_i(state_o)
);
