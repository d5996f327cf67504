// The ends of warps: the tag banks free the registers of a warp, a group of 64 a cycle, beside what
// they look up.
//
// An exit is taken over at once, so that the port goes on. One warp after the other, the lowest
// first: each bank frees its part of a group in a cycle in which it can. The done event follows the
// last part in a cycle in which no other command has one.
module exit_walk
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          interleaved_i,  // how registers lie, as locate says
  // from and to the command port
  input  command_t      command_i,
  input  logic [7:0]    registers_per_thread_i,
  input  logic [15:0]   base_i [NumWarps],
  output done_t         done_o,
  // to and from the tag banks
  output tag_bank_set_t free_o,
  output exit_group_t   group_o,
  output exit_rows_t    rows_o [NumTagBanks],  // of the group
  input  tag_bank_set_t freed_i
);

  localparam int unsigned GroupRegisters = NumTagBanks * ExitRows;
  localparam int unsigned PlaceBits      = $clog2(GroupRegisters);

  localparam logic [GroupRegisters-1:0] AllPlaces = '1;

  logic [NumWarps-1:0]  waiting_q, lowest;
  logic                 is_exit, some, walks_q, holds_q, over, last, ends, picks;
  logic [WarpBits-1:0]  next, warp_q;
  index_t               first, first_q, last_q;
  exit_group_t          group_q;
  tag_bank_set_t        left_q, left;
  done_t                done_q;
  logic [PlaceBits-1:0] low, high;  // of the warp's registers in the group

  logic [GroupRegisters-1:0] own;

  // ---- which warp ----
  assign is_exit = command_i.valid && command_i.op == CmdExit;
  assign picks   = some && (!walks_q || ends);
  assign first   = index_t'(base_i[next]);

  lowest_bit #(
    .Width(NumWarps)
  ) u_lowest (
    .set_i  (waiting_q),
    .valid_o(some),
    .bit_o  (lowest),
    .index_o(next)
  );

  // ---- which group ----
  assign left = left_q & ~freed_i;
  assign over = left == '0;
  assign last = group_q == last_q[IndexBits-1:PlaceBits];
  assign ends = walks_q && over && last && !(command_i.valid && !is_exit);

  assign low  = (group_q == first_q[IndexBits-1:PlaceBits]) ? first_q[PlaceBits-1:0] : '0;
  assign high = last ? last_q[PlaceBits-1:0] : '1;

  assign own  = (AllPlaces << low) & (AllPlaces >> ~high);

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_bank
    for (genvar r = 0; r < ExitRows; r++) begin : gen_row
      localparam index_t Place = index_t'(r * NumTagBanks + b);
      assign rows_o[b][r] = holds_q && own[PlaceBits'(index_at(Place, interleaved_i))];
    end
  end

  assign free_o  = walks_q ? left_q : '0;
  assign group_o = group_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      waiting_q <= '0;
      walks_q   <= 1'b0;
      left_q    <= '0;
    end else begin
      waiting_q <= (waiting_q & ~(picks ? lowest : '0)) |
                   (is_exit ? NumWarps'(1) << command_i.warp : '0);
      if (picks || ends) walks_q <= picks;
      left_q <= (picks || (walks_q && over && !last)) ? '1 : left;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (picks) begin
      warp_q  <= next;
      holds_q <= registers_per_thread_i != '0;
      first_q <= first;
      last_q  <= first + index_t'(registers_per_thread_i) -
                 index_t'(registers_per_thread_i != '0);
      group_q <= first[IndexBits-1:PlaceBits];
    end else if (over && !last) begin
      group_q <= group_q + exit_group_t'(1);
    end
  end

  // ---- the answer ----
  always_ff @(posedge clk_i or negedge rst_ni) begin : answer
    if (!rst_ni) begin
      done_q <= '0;
    end else begin
      done_q       <= '0;
      done_q.valid <= ends;
      if (ends) begin
        done_q.op   <= CmdExit;
        done_q.warp <= warp_q;
      end
    end
  end

  assign done_o = done_q;

endmodule
