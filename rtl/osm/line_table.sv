// Which lines are in the cache, which of their sectors are on their way, which of their bytes are
// there and which are not yet off chip.
//
// All lanes of a request are looked up at once. Line numbers are kept bit by bit, each bit as a
// vector over the ways, so that a look-up is a row of vector operations. A pass changes at most one
// line in each bank.
module line_table
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  parameter  int unsigned Lanes     = NumLanes,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = SetBits + WayBits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [2:0]             size_log2_kb_i,
  // look-up of a request's lanes
  input  logic [CtaSlotBits-1:0] cta_slot_i,
  input  logic [2:0]             access_size_i,
  input  address_t [Lanes-1:0]   address_i,
  input  way_set_t               closed_i [Sets],  // lines of which sums are on their way
  output logic [Lanes-1:0]       found_o,
  output logic [Lanes-1:0]       filling_o,
  output logic [Lanes-1:0]       complete_o,
  output logic [Lanes-1:0]       closed_o,
  output logic [IndexBits-1:0]   lane_index_o [Lanes],
  // where a line can be put
  input  number_t                wanted_i,
  output logic [SetBits-1:0]     wanted_set_o,
  output logic                   free_o,
  output way_t                   free_way_o,
  output way_set_t               candidates_o,
  // the line that the action is about
  input  logic [IndexBits-1:0]   index_i,
  output number_t                number_o,
  output byte_set_t              dirty_bytes_o,
  output logic                   busy_o,  // sectors of it are on their way
  input  logic                   allocate_i,
  input  sector_set_t            begin_fill_i,
  input  logic                   evict_i,
  // sectors of a line that have come, and the bytes that they bring
  input  sector_set_t            end_fill_i,
  input  logic [IndexBits-1:0]   fill_index_i,
  output byte_set_t              fill_bytes_o,
  // bytes that a pass writes, by bank, and whether they stay to be written back
  input  bank_set_t              write_i,
  input  logic                   keep_i,
  input  logic [IndexBits-1:0]   row_i [NumBanks],
  input  logic [NumBanks-1:0][3:0] bytes_i,
  // the lines of CTA slot cta_slot_i
  input  logic                   release_i,
  // all lines go
  input  logic                   flush_i,
  output way_set_t               of_slot_o [Sets]
);

  localparam int unsigned BlockLsb = BlockBits - LineBits;
  localparam int unsigned RowBits  = $clog2(Sets * NumWays);

  // Element k: the ways whose number has bit k.
  localparam way_set_t [WayBits-1:0] WaysWithBit = {
    64'hFFFF_FFFF_0000_0000,
    64'hFFFF_0000_FFFF_0000,
    64'hFF00_FF00_FF00_FF00,
    64'hF0F0_F0F0_F0F0_F0F0,
    64'hCCCC_CCCC_CCCC_CCCC,
    64'hAAAA_AAAA_AAAA_AAAA
  };

  way_set_t   number_q [Sets][NumberBits];
  way_set_t   present_q [Sets];
  way_set_t   filling_q [Sets][NumSectors];
  byte_set_t  valid_q [Sets][NumWays];
  byte_set_t  dirty_q [Sets][NumWays];
  way_set_t   ways_in_use;
  logic [3:0] set_mask;

  // ---- the size in use ----
  always_comb begin : size
    case (size_log2_kb_i)
      3'd0:    ways_in_use = way_set_t'(64'hFF);
      3'd1:    ways_in_use = way_set_t'(64'hFFFF);
      3'd2:    ways_in_use = way_set_t'(64'hFFFF_FFFF);
      default: ways_in_use = '1;
    endcase
    case (size_log2_kb_i)
      3'd4:    set_mask = 4'b0001;
      3'd5:    set_mask = 4'b0011;
      3'd6:    set_mask = 4'b0111;
      3'd7:    set_mask = 4'b1111;
      default: set_mask = 4'b0000;
    endcase
  end

  // ---- look-up ----
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    number_t            number;
    logic [SetBits-1:0] set;
    way_set_t           match;
    way_t               way;
    sector_t            sector;
    access_bytes_t      needed;  // bytes of the access, from the first byte of its first word on

    assign number = address_i[l][31:LineBits];
    assign set    = SetBits'(number[3:0] & set_mask);
    assign sector = address_i[l][LineBits-1:SectorBits];
    assign needed = access_bytes_of(access_size_i, address_i[l][1:0]);

    always_comb begin : compare
      match = present_q[set];
      for (int unsigned k = 0; k < NumberBits; k++) begin
        match &= ~(number_q[set][k] ^ {NumWays{number[k]}});
      end
      for (int unsigned k = 0; k < WayBits; k++) way[k] = (match & WaysWithBit[k]) != '0;
    end

    assign found_o[l]      = match != '0;
    assign filling_o[l]    = found_o[l] && filling_q[set][sector][way];
    assign complete_o[l]   =
        (needed & ~valid_q[set][way][{address_i[l][LineBits-1:2], 2'b00}+:AccessBytes]) == '0;
    assign closed_o[l]     = found_o[l] && closed_i[set][way];
    assign lane_index_o[l] = {set, way};
  end

  // ---- where a line can be put ----
  way_set_t unused, on_their_way;

  assign wanted_set_o = SetBits'(wanted_i[3:0] & set_mask);
  assign unused       = ways_in_use & ~present_q[wanted_set_o];
  assign candidates_o = present_q[wanted_set_o] & ~on_their_way & ~closed_i[wanted_set_o];

  always_comb begin : waited_for
    on_their_way = '0;
    for (int unsigned k = 0; k < NumSectors; k++) on_their_way |= filling_q[wanted_set_o][k];
  end

  lowest_bit #(
    .Width(NumWays)
  ) u_free (
    .set_i  (unused),
    .valid_o(free_o),
    .bit_o  (),
    .index_o(free_way_o)
  );

  // ---- the lines of a CTA slot ----
  logic [31-BlockBits:0] block;

  assign block = SharedSpace[31:BlockBits] | (32 - BlockBits)'(cta_slot_i);

  for (genvar s = 0; s < Sets; s++) begin : gen_slot
    always_comb begin : compare
      of_slot_o[s] = present_q[s];
      for (int unsigned k = BlockLsb; k < NumberBits; k++) begin
        of_slot_o[s] &= ~(number_q[s][k] ^ {NumWays{block[k-BlockLsb]}});
      end
    end
  end

  // ---- the line of the action ----
  logic [SetBits-1:0] action_set, fill_set;
  way_t               action_way, fill_way;

  assign {action_set, action_way} = index_i;
  assign {fill_set, fill_way}     = fill_index_i;

  assign dirty_bytes_o = dirty_q[action_set][action_way];
  assign fill_bytes_o  = bytes_of(end_fill_i) & ~valid_q[fill_set][fill_way];

  always_comb begin : line_waits
    busy_o = 1'b0;
    for (int unsigned k = 0; k < NumSectors; k++) busy_o |= filling_q[action_set][k][action_way];
  end

  always_comb begin : number_of_line
    for (int unsigned k = 0; k < NumberBits; k++) number_o[k] = number_q[action_set][k][action_way];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : state
    if (!rst_ni) begin
      present_q <= '{default: '0};
      filling_q <= '{default: '{default: '0}};
    end else begin
      if (allocate_i) present_q[action_set][action_way] <= 1'b1;
      if (evict_i) present_q[action_set][action_way] <= 1'b0;
      for (int unsigned k = 0; k < NumSectors; k++) begin
        if (begin_fill_i[k]) filling_q[action_set][k][action_way] <= 1'b1;
        if (end_fill_i[k]) filling_q[fill_set][k][fill_way] <= 1'b0;
      end
      for (int unsigned s = 0; s < Sets; s++) begin
        if (release_i) present_q[s] <= present_q[s] & ~of_slot_o[s];
        if (flush_i) present_q[s] <= '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (allocate_i) begin
      for (int unsigned k = 0; k < NumberBits; k++) begin
        number_q[action_set][k][action_way] <= wanted_i[k];
      end
    end
  end

  // ---- the bytes of each line ----
  logic [Sets*NumWays-1:0] taken;             // the line that an action takes
  logic [Sets*NumWays-1:0] filled;            // the line that gets bytes from off chip
  logic [Sets*NumWays-1:0] written;           // lines in which a pass writes
  logic [Sets*NumWays-1:0] words [NumBanks];  // the one whose word it writes in each bank

  always_comb begin : changes
    taken   = '0;
    filled  = '0;
    written = '0;
    taken[RowBits'(index_i)]       = allocate_i;
    filled[RowBits'(fill_index_i)] = fill_bytes_o != '0;
    for (int unsigned b = 0; b < NumBanks; b++) begin
      words[b]                     = '0;
      words[b][RowBits'(row_i[b])] = write_i[b];
      written                      = written | words[b];
    end
  end

  // Valid and dirty bytes of a line after this cycle.
  function automatic logic [2*LineBytes-1:0] changed(int unsigned set, int unsigned way);
    byte_set_t by_pass, valid, dirty;
    for (int unsigned b = 0; b < NumBanks; b++) begin
      by_pass[4*b+:4] = words[b][RowBits'(set*NumWays+way)] ? bytes_i[b] : '0;
    end
    valid = taken[set*NumWays+way] ? '0 : valid_q[set][way];
    dirty = taken[set*NumWays+way] ? '0 : dirty_q[set][way];
    return {valid | (filled[set*NumWays+way] ? fill_bytes_o : '0) | by_pass,
            dirty | (keep_i ? by_pass : '0)};
  endfunction

  // Unrolled, these loops take a simulator twice as long to compile as all the rest.
  always_ff @(posedge clk_i) begin : bytes
    // verilator unroll_disable
    for (int unsigned s = 0; s < Sets; s++) begin
      // verilator unroll_disable
      for (int unsigned w = 0; w < NumWays; w++) begin
        if (taken[s*NumWays+w] || filled[s*NumWays+w] || written[s*NumWays+w]) begin
          {valid_q[s][w], dirty_q[s][w]} <= changed(s, w);
        end
      end
    end
  end

endmodule
