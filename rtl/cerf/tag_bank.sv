// Tags, states and LRU order of the entries of one tag bank; one look-up a cycle.
//
// The look-up is combinational in the tagging stage; the entry changes at the clock edge if
// `commit_i` says that the operation is carried out. An operation that needs the place of a dirty
// line or, under LRU-fair, of a register only evicts it (`evict_o`) and comes again.
//
// A register that was evicted is spilled until an operation needs its old value, then returning
// until it has been filled in again. A result of all lanes does not need it.
//
// At the end of a warp the entries of its registers are freed without a look-up: registers that
// follow each other lie in sets that do, so that an entry of the group's sets is one of them if the
// lowest bits of its tag are the group's.
module tag_bank
  import cerf_pkg::*;
#(
  parameter  int unsigned Ways      = 4,
  localparam int unsigned Sets      = EntriesPerBank / Ways,
  localparam int unsigned SetBits   = $clog2(Sets),
  localparam int unsigned AgeBits   = $clog2(Ways),
  localparam int unsigned TagWidth  = LineAddressBits - TagBankBits - SetBits
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   fair_i,
  // the operation of this cycle
  input  op_e    op_i,
  input  line_t  line_i,
  input  logic   dead_i,      // of a register read: no later read
  input  logic   full_i,      // of a result: all lanes
  input  logic   commit_i,
  // what the look-up found
  output logic   hit_o,
  output logic   evict_o,     // a dirty line or a register is in the way
  output logic   spilled_o,   // the operation's register is in memory
  output logic   returning_o, // or on its way back
  output logic   placed_o,    // the operation has an entry: found or replaced
  output state_e before_o,    // state of that entry
  output row_t   row_o,       // its row in the data banks
  output line_t  evicted_o,   // the line that it holds
  // registers of a warp that has ended
  input  logic        frees_i,
  input  exit_group_t free_group_i,
  input  exit_rows_t  free_rows_i,
  output logic        free_waits_o,  // one is on its way back
  output exit_rows_t  ended_o,       // those that had an entry
  // to the events
  output logic [RowBits:0] registers_o,  // entries in state reg
  output logic [RowBits:0] lines_o       // entries in states cache and dirty
);

  typedef logic [Ways-1:0] ways_t;
  typedef logic [Ways-1:0][AgeBits-1:0] ages_t;

  // Ages of a set of which nothing was used: the ways in order.
  function automatic ages_t first_ages();
    for (int unsigned w = 0; w < Ways; w++) first_ages[w] = AgeBits'(w);
  endfunction

  logic [Ways-1:0][TagWidth-1:0] tag_q   [Sets];
  state_e                        state_q [Sets][Ways];
  ages_t                         age_q   [Sets];
  logic [EntriesPerBank-1:0]     spilled_q, returning_q;  // by register of the bank
  logic [RowBits:0]              registers_q, lines_q;

  // ---- look-up ----
  logic [SetBits-1:0]           set;
  logic [TagWidth-1:0]          tag;
  state_e                       state [Ways];
  ages_t                        age, age_d;
  ways_t                        match, dirty, occupied, victim, chosen;
  logic                         allocates, drops, found, reads, writes;
  row_t                         register;
  logic [AgeBits-1:0]           way;
  logic [TagWidth-1:0]          chosen_tag;

  assign set   = line_i[TagBankBits+:SetBits];
  assign tag   = line_i[LineAddressBits-1:TagBankBits+SetBits];
  assign state = state_q[set];
  assign age   = age_q[set];

  for (genvar w = 0; w < Ways; w++) begin : gen_match
    assign match[w] = (op_i == OpFlush) ? is_line(state[w]) && tag[AgeBits-1:0] == AgeBits'(w)
                                        : state[w] != StInactive && tag_q[set][w] == tag;
    assign dirty[w]    = state[w] == StDirty;
    assign occupied[w] = state[w] == StDirty || state[w] == StReg;
  end

  victim_select #(
    .Ways(Ways)
  ) u_victim (
    .fair_i,
    .state_i(state),
    .age_i  (age),
    .found_o(found),
    .way_o  (victim)
  );

  assign hit_o       = match != '0;
  assign register    = line_i[TagBankBits+:RowBits];
  assign reads       = op_i == OpReadReg;
  assign writes      = op_i == OpWriteReg;
  assign spilled_o   = !hit_o && spilled_q[register] && (reads || (writes && !full_i));
  assign returning_o = !hit_o && returning_q[register] && (reads || writes);
  assign allocates   = (writes && !spilled_o && !returning_o) || op_i == OpFill || op_i == OpRefill;
  assign drops       = op_i == OpBypass || op_i == OpFlush;
  assign chosen      = hit_o ? match : (allocates ? victim : '0);
  assign placed_o    = hit_o || (allocates && found);

  always_comb begin : choose
    way        = '0;
    before_o   = StInactive;
    chosen_tag = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (chosen[w]) begin
        way        = AgeBits'(w);
        before_o   = state[w];
        chosen_tag = tag_q[set][w];
      end
    end
  end

  assign row_o     = {set, way};
  // Of the ways, since `before_o` is late.
  assign evict_o   = (drops && (match & dirty) != '0) ||
                     (allocates && !hit_o && (victim & occupied) != '0);
  assign evicted_o = {chosen_tag, set, line_i[TagBankBits-1:0]};

  // ---- the end of a warp ----
  localparam int unsigned FirstRowBits = $clog2(ExitRows);

  exit_rows_t               returns;
  ways_t                    ends [ExitRows];
  logic [ExitGroupBits:0]   num_ended;
  logic [AgeBits-1:0]       home;  // lowest bits of the tags of the group's registers

  assign home = free_group_i[ExitGroupBits-1-:AgeBits];

  function automatic logic [SetBits-1:0] set_of(exit_group_t group, logic [FirstRowBits-1:0] row);
    return SetBits'({group, row});
  endfunction

  for (genvar r = 0; r < ExitRows; r++) begin : gen_free
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      assign ends[r][w] = frees_i && free_rows_i[r] &&
                          state_q[set_of(free_group_i, FirstRowBits'(r))][w] == StReg &&
                          tag_q[set_of(free_group_i, FirstRowBits'(r))][w][AgeBits-1:0] == home;
    end
    assign ended_o[r] = ends[r] != '0;
    assign returns[r] = free_rows_i[r] && returning_q[{free_group_i, FirstRowBits'(r)}];
  end

  assign free_waits_o = returns != '0;
  assign num_ended    = (ExitGroupBits + 1)'($countones(ended_o));

  // ---- change ----
  state_e after;
  logic   use_it, leaves, changes, gains, loses;
  logic [RowBits:0] kept;  // registers, without those that end in this cycle

  entry_state u_state (
    .op_i,
    .evict_i(evict_o),
    .dead_i,
    .state_i(before_o),
    .state_o(after)
  );

  // Of the operation, since `after` is late: whether it makes its entry inactive.
  assign leaves  = evict_o || drops || (reads && dead_i);
  assign changes = commit_i && placed_o;
  assign use_it  = changes && !leaves;
  assign gains   = changes && after == StReg && before_o != StReg;
  assign loses   = changes && after != StReg && before_o == StReg;
  assign kept    = registers_q - (RowBits + 1)'(num_ended);

  lru_order #(
    .Ways(Ways)
  ) u_order (
    .age_i (age),
    .used_i(chosen),
    .age_o (age_d)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : entries
    if (!rst_ni) begin
      state_q     <= '{default: '{default: StInactive}};
      age_q       <= '{default: first_ages()};
      registers_q <= '0;
      lines_q     <= '0;
    end else begin
      if (gains) registers_q <= kept + (RowBits + 1)'(1);
      else if (loses) registers_q <= kept - (RowBits + 1)'(1);
      else registers_q <= kept;
      for (int unsigned w = 0; w < Ways; w++) begin
        if (changes && chosen[w]) state_q[set][w] <= after;
      end
      if (changes) begin
        lines_q <= lines_q - (RowBits + 1)'(is_line(before_o)) + (RowBits + 1)'(is_line(after));
      end
      for (int unsigned r = 0; r < ExitRows; r++) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          if (ends[r][w]) begin
            state_q[set_of(free_group_i, FirstRowBits'(r))][w] <= StInactive;
          end
        end
      end
      if (use_it) age_q[set] <= age_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers_away
    if (!rst_ni) begin
      spilled_q   <= '0;
      returning_q <= '0;
    end else begin
      if (commit_i) begin
        if (evict_o) begin
          if (before_o == StReg) spilled_q[evicted_o[TagBankBits+:RowBits]] <= 1'b1;
        end else if (spilled_o) begin
          spilled_q[register]   <= 1'b0;
          returning_q[register] <= 1'b1;
        end else if (writes && !returning_o) begin
          spilled_q[register] <= 1'b0;
        end else if (op_i == OpRefill) begin
          returning_q[register] <= 1'b0;
        end
      end
      for (int unsigned r = 0; r < ExitRows; r++) begin
        if (frees_i && free_rows_i[r]) spilled_q[{free_group_i, FirstRowBits'(r)}] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : tags
    for (int unsigned w = 0; w < Ways; w++) begin
      if (use_it && chosen[w]) tag_q[set][w] <= tag;
    end
  end

  assign registers_o = registers_q;
  assign lines_o     = lines_q;

endmodule
