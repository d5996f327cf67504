// Sizes and types of the cache-emulated register file.
package cerf_pkg;

  import heddle_port_pkg::*;

  localparam int unsigned NumTagBanks    = 4;
  localparam int unsigned TagBankBits    = 2;
  localparam int unsigned BanksPerGroup  = 8;    // data banks that a tag bank governs
  localparam int unsigned BankBytes      = 16;   // width of a data bank
  localparam int unsigned EntriesPerBank = 256;  // entries of a tag bank
  localparam int unsigned RowBits        = 8;    // entry of a tag bank, row of its data banks
  localparam int unsigned OffsetBits     = 7;    // byte of a line
  localparam int unsigned LineAddressBits = 32 - OffsetBits;
  localparam int unsigned IndexBits      = 10;   // warp register
  localparam int unsigned PrefixBits     = LineAddressBits - IndexBits;
  localparam int unsigned WayBits        = 3;    // way of a set with up to 8
  localparam int unsigned NumCollectors  = shell_pkg::DefaultCollectors;
  localparam int unsigned NumMshrs       = 32;
  localparam int unsigned MshrBits       = 5;
  localparam int unsigned NumMerges      = 8;    // requests that one MSHR takes
  localparam int unsigned MergeBits      = 3;
  localparam int unsigned LowerEntries   = 8;    // requests that wait for L2
  localparam int unsigned LowerBits      = 3;
  localparam int unsigned ExitRows       = 16;   // registers that a tag bank frees in a cycle
  localparam int unsigned ExitGroupBits  = 4;    // group of as many registers of a tag bank

  // Where the reg-mem addresses lie: above local memory.
  localparam logic [PrefixBits-1:0] RegisterPrefix = '1;

  typedef logic [LineAddressBits-1:0]        line_t;
  typedef logic [IndexBits-1:0]              index_t;
  typedef logic [TagBankBits-1:0]            tag_bank_t;
  typedef logic [NumTagBanks-1:0]            tag_bank_set_t;
  typedef logic [RowBits-1:0]                row_t;
  typedef logic [WayBits-1:0]                way_t;
  typedef shell_pkg::collector_t             collector_t;
  typedef shell_pkg::collector_set_t         collector_set_t;
  typedef shell_pkg::source_t                source_t;
  typedef shell_pkg::source_set_t            source_set_t;
  typedef logic [MshrBits-1:0]               mshr_t;
  typedef logic [MergeBits-1:0]              merge_t;
  typedef logic [LowerBits-1:0]              lower_t;
  typedef logic [ExitGroupBits-1:0]          exit_group_t;
  typedef logic [ExitRows-1:0]               exit_rows_t;
  typedef shell_pkg::data_t                  data_t;
  typedef logic [LineBytes-1:0]              bytes_t;
  typedef logic [NumLanes-1:0][3:0][31:0]    lane_words_t;

  // State of an entry of the integrated memory (figure 6).
  typedef enum logic [1:0] {
    StInactive = 2'd0,
    StReg      = 2'd1,
    StCache    = 2'd2,
    StDirty    = 2'd3
  } state_e;

  // What a tag bank is asked to do.
  typedef enum logic [3:0] {
    OpNone     = 4'd0,
    OpReadReg  = 4'd1,
    OpWriteReg = 4'd2,
    OpFill     = 4'd3,
    OpLoad     = 4'd4,
    OpStore    = 4'd5,
    OpBypass   = 4'd6,
    OpFlush    = 4'd7,  // the line is {way, set, tag bank} of an entry
    OpRefill   = 4'd8
  } op_e;

  // Who gets the row that a data group reads.
  typedef enum logic [1:0] {
    ToNobody    = 2'd0,
    ToCollector = 2'd1,
    ToResponse  = 2'd2,
    ToLower     = 2'd3
  } target_e;

  // What is kept of a request until its response leaves.
  typedef struct packed {
    logic [TagBits-1:0]                  tag;
    logic [NumLanes-1:0]                 mask;
    logic [2:0]                          part;
    logic [1:0]                          outcome;
    logic                                store;
    logic [2:0]                          size_log2;
    logic [NumLanes-1:0][OffsetBits-1:0] offset;
  } waiting_t;

  // A load or store that is looked up.
  typedef struct packed {
    op_e    op;
    line_t  line;
    logic   write;
    bytes_t bytes;
    data_t  data;
  } access_t;

  // What a tag bank does in a cycle.
  typedef struct packed {
    op_e              op;
    state_e           was;
    logic             hit;
    logic             placed;
    logic             evict;
    logic             commit;
    logic             away;
    logic             refills;
    logic             dead;
    row_t             row;
    collector_t       collector;
    source_t          source;
    logic             wait_bank;
    logic             wait_write;
    exit_rows_t       ended;
    logic [RowBits:0] registers;
    logic [RowBits:0] lines;
  } bank_activity_t;

  function automatic logic is_line(state_e state);
    return state == StCache || state == StDirty;
  endfunction

  // Register re-indexing (section III-C): prefix, warp register, zeros. The tag banks know a
  // register by its place, {row, tag bank}, which `locate` finds.
  function automatic line_t register_line(index_t place);
    return {RegisterPrefix, place};
  endfunction

  // Warp register at a place. Interleaved, the number of its block of 16 was added to the tag bank.
  function automatic index_t index_at(index_t place, logic interleaved);
    return {place[IndexBits-1:TagBankBits],
            place[TagBankBits-1:0] - (interleaved ? place[4+:TagBankBits] : '0)};
  endfunction

  function automatic logic is_register(line_t line);
    return line[LineAddressBits-1:IndexBits] == RegisterPrefix;
  endfunction

  function automatic tag_bank_t bank_of(line_t line);
    return line[TagBankBits-1:0];
  endfunction

endpackage
