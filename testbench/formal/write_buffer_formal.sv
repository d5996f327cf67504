// The results for one bank, which the solver chooses, in the order in which they came, with the
// data of one lane; and a count of all results that are held.
module write_buffer_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned ResultWidth = 2,
  parameter  int unsigned NumBanks    = DefaultBanks,
  parameter  int unsigned IndexBits   = BaseBits,
  parameter  int unsigned Lanes       = NumLanes,
  parameter  int unsigned LaneWidth   = LaneBits,
  localparam int unsigned BankBits    = $clog2(NumBanks),
  localparam int unsigned RowBits     = IndexBits - BankBits,
  localparam int unsigned Entries     = 2 * ResultWidth,
  localparam int unsigned EntryBits   = $clog2(Entries)
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   interleaved_i,
  input result_t [ResultWidth-1:0]                          result_i,
  input logic    [ResultWidth-1:0][Lanes-1:0][LaneWidth-1:0] result_data_i,
  input logic    [ResultWidth-1:0]                          ready_i,
  input index_t                 base_i [NumWarps],
  input logic [NumBanks-1:0]    queued_i,
  input logic [RowBits-1:0]     row_i [NumBanks],
  input logic [Lanes-1:0]       mask_i [NumBanks],
  input logic [Lanes-1:0][LaneWidth-1:0] data_i [NumBanks],
  input logic [NumBanks-1:0]    grant_i,
  input logic                   beyond_i,
  input logic [ResultWidth-1:0] accept_i,
  input logic [ResultWidth-1:0] stall_i,
  input logic [LevelBits-1:0]   level_i,
  // what the buffer keeps, and where it puts what it accepts
  input logic [Entries-1:0]     valid_i,
  input logic [Entries-1:0]     older_i [Entries],
  input logic [BankBits-1:0]    bank_i [Entries],
  input logic [RowBits-1:0]     kept_row_i [Entries],
  input logic [Lanes-1:0]       kept_mask_i [Entries],
  input logic [Lanes-1:0][LaneWidth-1:0] kept_data_i [Entries],
  input logic [EntryBits-1:0]   target_i [ResultWidth]
);

  localparam int unsigned BlockBits     = BankBits > 4 ? BankBits : 4;
  localparam int unsigned LaneIndexBits = $clog2(Lanes);
  localparam int unsigned CountBits     = EntryBits + 1;

  if (2 ** EntryBits != Entries) begin : gen_bad_width
    $fatal(1, "Entries is a power of two");
  end

  typedef logic [EntryBits-1:0] number_t;  // by how many came before, modulo Entries
  typedef logic [EntryBits-1:0] entry_t;
  typedef logic [CountBits-1:0] count_t;

  typedef struct packed {
    logic [RowBits-1:0]   row;
    logic [Lanes-1:0]     mask;
    logic [LaneWidth-1:0] data;  // of the chosen lane
  } item_t;

  // Any bank and any lane: what the data are in the cycle of reset.
  logic [BankBits-1:0]      bank_q;
  logic [LaneIndexBits-1:0] lane_q;

  count_t  all_q, count_q, stay;      // results that are held; of the bank, and after its grant
  number_t left_q;                    // results of the bank that are written
  entry_t  entry_of_q [Entries];      // by number: where it lies
  number_t number_of_q [Entries];     // by entry: its number
  item_t   item_q [Entries];          // by number
  item_t   enters [ResultWidth];
  count_t  ahead [ResultWidth+1];     // of the bank, older than the result of the port
  count_t  room;
  logic [ResultWidth-1:0] for_bank, beyond;
  logic    goes;

  assign goes     = grant_i[bank_q];
  assign stay     = count_q - count_t'(goes);
  assign room     = count_t'(Entries) - all_q;
  assign ahead[0] = stay;

  for (genvar p = 0; p < ResultWidth; p++) begin : gen_port
    index_t              index;
    logic [BankBits-1:0] bank;

    assign index          = base_i[result_i[p].warp] + index_t'(result_i[p].register);
    assign bank           = index[BankBits-1:0] +
                            (interleaved_i ? BankBits'(index >> BlockBits) : '0);
    assign for_bank[p]    = accept_i[p] && bank == bank_q;
    assign ahead[p+1]     = ahead[p] + count_t'(for_bank[p]);
    assign beyond[p]      = accept_i[p] && 32'(index) >= 2 ** IndexBits;
    assign enters[p].row  = index[IndexBits-1:BankBits];
    assign enters[p].mask = result_i[p].mask[Lanes-1:0];
    assign enters[p].data = result_data_i[p][lane_q];

    always_comb begin : checks
      if (rst_ni) begin
        ReadyIsFree : assert (ready_i[p] == (32'(room) > p));
        AcceptedOrStalled :
        assert (accept_i[p] == (result_i[p].valid && ready_i[p]) &&
                stall_i[p] == (result_i[p].valid && !ready_i[p]));
      end
    end
  end

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) {bank_q, lane_q} <= (BankBits + LaneIndexBits)'(result_data_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : counts
    if (!rst_ni) begin
      all_q   <= '0;
      count_q <= '0;
      left_q  <= '0;
    end else begin
      all_q   <= all_q - count_t'($countones(grant_i)) + count_t'($countones(accept_i));
      count_q <= ahead[ResultWidth];
      left_q  <= left_q + number_t'(goes);
    end
  end

  always_ff @(posedge clk_i) begin : items
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (for_bank[p]) begin
        item_q[left_q + number_t'(goes) + number_t'(ahead[p])]     <= enters[p];
        entry_of_q[left_q + number_t'(goes) + number_t'(ahead[p])] <= target_i[p];
        number_of_q[target_i[p]] <= left_q + number_t'(goes) + number_t'(ahead[p]);
      end
    end
  end

  for (genvar n = 0; n < Entries; n++) begin : gen_number
    number_t behind;  // results of the bank that are older
    entry_t  here;    // where it lies
    logic    held;

    assign behind = number_t'(n) - left_q;
    assign held   = count_t'(behind) < count_q;
    assign here   = entry_of_q[n];

    always_comb begin : checks
      if (rst_ni) begin
        EachHasAnEntry :
        assert (!held || (valid_i[here] && bank_i[here] == bank_q &&
                          number_of_q[here] == number_t'(n)));
        EachIsKept :
        assert (!held ||
                {kept_row_i[here], kept_mask_i[here], kept_data_i[here][lane_q]} == item_q[n]);
      end
    end
  end

  logic [Entries-1:0] of_bank;  // entries of the chosen one

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    number_t            behind;
    logic [Entries-1:0] wrong;  // of the bank: that are older and not said to be, or the reverse
    logic [Entries-1:0] loose;  // entries that are both older and younger, or neither
    logic [Entries-1:0] open;   // older ones that follow something this one does not

    assign of_bank[e] = valid_i[e] && bank_i[e] == bank_q;
    assign behind  = number_of_q[e] - left_q;

    for (genvar o = 0; o < Entries; o++) begin : gen_other
      number_t other_behind;

      assign other_behind = number_of_q[o] - left_q;
      assign wrong[o] = of_bank[e] && valid_i[o] && bank_i[o] == bank_q &&
                        older_i[e][o] != (other_behind < behind);
      assign loose[o] = valid_i[e] && valid_i[o] && older_i[e][o] == (o == e || older_i[o][e]);
      assign open[o]  = valid_i[e] && older_i[e][o] && (older_i[o] & ~older_i[e]) != '0;
    end

    always_comb begin : checks
      if (rst_ni) begin
        EntryHasANumber :
        assert (!of_bank[e] ||
                (count_t'(behind) < count_q && entry_of_q[number_of_q[e]] == entry_t'(e)));
        OlderAreThere : assert (!valid_i[e] || (older_i[e] & ~valid_i) == '0);
        OrderIsTotal : assert (loose == '0 && open == '0);
        OlderCameBefore : assert (wrong == '0);
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      NoUnderflow : assume ((grant_i & ~queued_i) == '0);
      AllAreCounted : assert (count_t'($countones(valid_i)) == all_q);
      OfBankAreCounted : assert (count_t'($countones(of_bank)) == count_q);
      NothingLost : assert (queued_i[bank_q] == (count_q != '0));
      OldestFirst :
      assert (count_q == '0 ||
              {row_i[bank_q], mask_i[bank_q], data_i[bank_q][lane_q]} == item_q[left_q]);
      BeyondTells : assert (beyond_i == (beyond != '0));
      LevelIsHeld : assert (level_i == LevelBits'(all_q));
      FullOfOneBank : cover (count_q == count_t'(Entries) && goes && bank_q != '0);
    end
  end

endmodule

bind write_buffer write_buffer_formal #(
  .ResultWidth(ResultWidth),
  .NumBanks   (NumBanks),
  .IndexBits  (IndexBits),
  .Lanes      (Lanes),
  .LaneWidth  (LaneWidth)
) u_formal (
  .clk_i,
  .rst_ni,
  .interleaved_i,
  .result_i,
  .result_data_i,
  .ready_i    (result_ready_o),
  .base_i,
  .queued_i   (queued_o),
  .row_i      (row_o),
  .mask_i     (mask_o),
  .data_i     (data_o),
  .grant_i,
  .beyond_i   (beyond_o),
  .accept_i   (accept_o),
  .stall_i    (stall_o),
  .level_i    (level_o),
  .valid_i    (valid_q),
  .older_i    (older_q),
  .bank_i     (bank_q),
  .kept_row_i (row_q),
  .kept_mask_i(mask_q),
  .kept_data_i(data_q),
  .target_i   (target)
);
