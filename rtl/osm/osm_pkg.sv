// Sizes and types of the shared-memory cache of off-chip shared memory, and of the unified cache.
package osm_pkg;

  import heddle_port_pkg::*;

  localparam int unsigned NumWays        = 64;
  localparam int unsigned WayBits        = 6;
  localparam int unsigned MaxIndexBits   = 10;  // of the largest elaboration: 16 sets of 64 ways
  localparam int unsigned NumBanks       = 32;
  localparam int unsigned NumRequests    = 64;
  localparam int unsigned RequestBits    = 6;
  localparam int unsigned NumFills       = 64;
  localparam int unsigned FillBits       = 6;
  localparam int unsigned LowerDepth     = 8;
  localparam int unsigned LineBits       = 7;   // log2 of LineBytes
  localparam int unsigned NumSectors     = 4;   // of a line, fetched each by itself
  localparam int unsigned SectorBits     = 5;   // log2 of the bytes of a sector
  localparam int unsigned BlockBits      = 17;  // log2 of the bytes of a CTA slot off chip
  localparam int unsigned NumberBits     = 32 - LineBits;
  localparam int unsigned MaxWords       = 4;   // 32-bit words that a lane accesses at most
  localparam int unsigned AccessBytes    = 4 * MaxWords;
  localparam int unsigned CacheEventBits = 117;
  localparam int unsigned RingRows       = 64;
  localparam int unsigned RingBits       = 6;

  // First address of the off-chip shared space.
  localparam logic [31:0] SharedSpace = 32'hE000_0000;

  // Ids of lower requests with this bit are places of requests that went past the cache.
  localparam int unsigned AwayBit = 6;

  typedef logic [NumWays-1:0]     way_set_t;
  typedef logic [WayBits-1:0]     way_t;
  typedef logic [NumLanes-1:0]    lane_set_t;
  typedef logic [NumBanks-1:0]    bank_set_t;
  typedef logic [4:0]             bank_t;
  typedef logic [4:0]             lane_t;
  typedef logic [31:0]            address_t;
  typedef logic [NumberBits-1:0]  number_t;  // address of a line over its size
  typedef logic [LineBytes-1:0]   byte_set_t;
  typedef logic [NumSectors-1:0]  sector_set_t;
  typedef logic [LineBits-SectorBits-1:0] sector_t;
  typedef logic [AccessBytes-1:0] access_bytes_t;
  typedef logic [RequestBits-1:0] request_index_t;
  typedef logic [FillBits-1:0]    fill_t;

  // Word w of lane l is element [l][w].
  typedef logic [NumLanes-1:0][MaxWords-1:0][31:0] lane_data_t;
  typedef logic [NumBanks-1:0][31:0]               line_data_t;

  // Read when reset is released, and constant from then on.
  typedef struct packed {
    logic [2:0] size_log2_kb;     // 0 (1 KB) to 7 (128 KB)
    logic       lock;             // writes lock
    logic [3:0] reads_to_unlock;  // 1 to 15
    logic [5:0] hit_latency;      // handshake to response of a request that hits at once, 4 to 63
    logic       sectors;          // a fetch is of the sectors that lanes need, else of the line
  } osm_config_t;

  // What a request asks of its lanes.
  typedef struct packed {
    logic [TagBits-1:0]      tag;
    logic [1:0]              kind;
    logic [3:0]              atomic;
    logic [2:0]              size_log2;
    logic [2:0]              part;
    lane_set_t               mask;
  } access_t;

  // A request as the cache keeps it, beside the addresses of its lanes.
  typedef struct packed {
    access_t                access;
    logic [CtaSlotBits-1:0] cta_slot;
    logic                   shared;     // shared memory: writes lock
    logic                   is_global;  // all lanes are in one line of global memory
    logic                   through;    // global store: written through
    logic                   past;       // volatile read or global atomic: goes past the cache
  } request_t;

  typedef struct packed {
    logic [TagBits-1:0] tag;
    lane_set_t          mask;
    logic [2:0]         part;
    logic [1:0]         outcome;
    logic               store;
  } answer_t;

  // What the cache does in a cycle.
  typedef enum logic [4:0] {
    ActNone,
    ActPass,          // banks serve lanes
    ActThrough,       // a global store goes off chip, and into its line if that is here
    ActPast,          // a request goes past the cache
    ActReturn,        // the answer to a request that went past comes in
    // taken is a free way, or that of a victim, which leaves; its dirty bytes go off chip
    ActWriteAllocate, // a line is taken without a fetch
    ActFetch,         // a line is taken and fetched
    ActFetchPartial,  // missing bytes of a line that is there are fetched
    ActEvictClean,    // a copy of what goes past the cache is dropped
    ActRelease,       // the lines of a CTA slot are dropped
    ActFlush,         // all lines are dropped
    ActWaitLines,     // the request waits for lines on their way
    ActStallSet,      // the request needs a way, and all of the set are filling
    ActStallCopy,     // sectors of the copy that is to be dropped are on their way
    ActStallLower,
    ActStallFills,
    ActStallRelease,
    ActStallAddition  // lanes lie in lines of which sums are on their way
  } action_e;

  // Formats of the atomic operations that add floating-point numbers.
  typedef enum logic [1:0] {
    FloatDouble,
    FloatSingle,
    FloatHalf,
    FloatBrain
  } float_format_e;

  // Codes 12 to 14 of an atomic operation: additions of singles or doubles, of one or two halves,
  // and of one or two brain floats, told apart by the size.
  function automatic logic adds_floats(input logic [3:0] operation);
    return operation >= 4'd12;
  endfunction

  function automatic float_format_e format_of(input logic [3:0] operation,
                                              input logic [2:0] size_log2);
    case (operation)
      4'd12:   return (size_log2 == 3'd3) ? FloatDouble : FloatSingle;
      4'd13:   return FloatHalf;
      default: return FloatBrain;
    endcase
  endfunction

  function automatic logic [31:0] address_of(input number_t number);
    return {number, LineBits'(0)};
  endfunction

  // The bytes of sectors.
  function automatic byte_set_t bytes_of(input sector_set_t sectors);
    for (int unsigned s = 0; s < NumSectors; s++) begin
      bytes_of[s*LineBytes/NumSectors+:LineBytes/NumSectors] = {(LineBytes/NumSectors){sectors[s]}};
    end
  endfunction

  // The class of a line's index {set, way}: where requests wait for lines on their way, these are
  // told apart by it. Neighbouring lines, which lie in neighbouring sets and often in the same way,
  // are in different classes.
  function automatic way_t wake_class(input logic [MaxIndexBits-1:0] index);
    return index[WayBits-1:0] + {index[MaxIndexBits-1:WayBits], 2'b00};
  endfunction

  // 32-bit words that a lane accesses.
  function automatic logic [2:0] words_of(input logic [2:0] size_log2);
    case (size_log2)
      3'd3:    return 3'd2;
      3'd4:    return 3'd4;
      default: return 3'd1;
    endcase
  endfunction

  // Bytes that a lane accesses; `byte_offset` is that within the first word.
  function automatic access_bytes_t access_bytes_of(input logic [2:0] size_log2,
                                                    input logic [1:0] byte_offset);
    case (size_log2)
      3'd0:    return access_bytes_t'(1) << byte_offset;
      3'd1:    return access_bytes_t'(3) << byte_offset;
      3'd2:    return access_bytes_t'('hF);
      3'd3:    return access_bytes_t'('hFF);
      default: return '1;
    endcase
  endfunction

  // Bytes of each word that a lane accesses; `byte_offset` is that within the first word.
  function automatic logic [3:0] word_bytes_of(input logic [2:0] size_log2,
                                               input logic [1:0] byte_offset);
    case (size_log2)
      3'd0:    return 4'b0001 << byte_offset;
      3'd1:    return 4'b0011 << byte_offset;
      default: return 4'b1111;
    endcase
  endfunction

endpackage
