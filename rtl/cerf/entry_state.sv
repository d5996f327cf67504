// The state machine of one entry (figure 6): its state after an operation that concerns it.
//
// A dirty entry or, under LRU-fair, a register's that is to hold something else goes through
// inactive: what it holds is written back first, and the operation comes again.
module entry_state
  import cerf_pkg::*;
(
  input  op_e    op_i,
  input  logic   evict_i,  // the operation only writes back what the entry holds
  input  logic   dead_i,   // of a register read: no later read
  input  state_e state_i,
  output state_e state_o
);

  always_comb begin : next_state
    state_o = state_i;
    if (evict_i) begin
      state_o = StInactive;
    end else begin
      unique case (op_i)
        OpReadReg:            if (dead_i) state_o = StInactive;
        OpWriteReg, OpRefill: state_o = StReg;
        OpFill:               state_o = StCache;
        OpStore:              state_o = StDirty;
        OpBypass, OpFlush:    state_o = StInactive;
        default:              state_o = state_i;
      endcase
    end
  end

endmodule
