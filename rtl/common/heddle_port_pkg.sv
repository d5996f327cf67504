// The register port and the memory port between the SM and a design.
//
// The crate heddle-port holds the same structs, field for field; its build script reads this file
// and a field that differs is a build error. The parser takes: `localparam int unsigned Name =
// <integer or expression of earlier names>;` and `typedef struct packed {
// logic [dims] name; ... } name_t;`.
package heddle_port_pkg;

  localparam int unsigned PortVersion = 2;  // goes up with every change of what stands here
  localparam int unsigned NumLanes = 32;
  localparam int unsigned LaneBits = 32;
  localparam int unsigned NumWarps = 64;
  localparam int unsigned WarpBits = 6;
  localparam int unsigned RegBits = 8;
  localparam int unsigned NumRegs = 256;
  localparam int unsigned TagBits = 10;
  localparam int unsigned NumSources = 6;
  localparam int unsigned NumDestinations = 4;
  localparam int unsigned IntervalBits = 16;
  localparam int unsigned MaxEventBits = 1024;  // most bits of a design's events
  localparam int unsigned EventBits = 256;      // of a design without a struct of its events
  localparam int unsigned DesignWords = 8;  // of a design's own configuration
  localparam int unsigned MaxBanks = 128;
  localparam int unsigned BankWords = 4;    // MaxBanks / 32
  localparam int unsigned CtaSlotBits = 5;
  localparam int unsigned LowerIdBits = 10;
  localparam int unsigned LineBytes = 128;
  localparam int unsigned VectorWords = 8;  // NumRegs / 32
  localparam int unsigned LineWords = 4;    // LineBytes / 32

  // Values of command_t.op.
  typedef enum logic [2:0] {
    CmdKernelStart = 3'd0,
    CmdWarpBase    = 3'd1,
    CmdMapEntry    = 3'd2,
    CmdActivate    = 3'd3,
    CmdDeactivate  = 3'd4,
    CmdExit        = 3'd5,
    CmdPrefetch    = 3'd6
  } command_op_e;

  // Read once, in the cycle in which reset is released, and constant from then on.
  typedef struct packed {
    logic [7:0]  bank_cycles;           // cycles an access occupies a bank of the main file
    logic [7:0]  crossbar_cycles;       // cycles a register takes through its crossbar
    logic [7:0]  active_warps;          // warps that may be active at once
    logic [7:0]  registers_per_interval;// register-cache banks in use
    logic [15:0] rows_per_bank;         // warp registers a main-register-file bank holds
    logic [7:0]  write_cycles;          // the same for a write, where writes are slower than reads
    logic [7:0]  shift_cycles;          // cycles one shift step occupies a racetrack bank
    logic        preshift;              // racetrack banks that wait shift towards what comes next
    logic [7:0]  wakeup_cycles;         // cycles until a write buffer's gated part can be used
    logic [7:0]  ways;                  // ways of a set, where registers and lines share one memory
    logic        fair;                  // there, registers give way as lines do, and are spilled
    logic [7:0]  cache_size_log2;       // log2 of the KB in use of a cache that holds shared memory
    logic [7:0]  reads_to_unlock;       // reads that unlock its line after a write; 0: no locks
    logic [7:0]  hit_latency;           // cycles from a request that hits there to its response
    logic [DesignWords-1:0][31:0] own;    // the design's own, in the order of its manifest
  } config_t;

  // ---- from the SM's issue stage ----
  typedef struct packed {
    logic                                 valid;
    logic [TagBits-1:0]                   tag;
    logic [WarpBits-1:0]                  warp;
    logic [NumLanes-1:0]                  mask;
    logic [NumSources-1:0]                source_valid;
    logic [NumSources-1:0][RegBits-1:0]   source;
    logic [NumDestinations-1:0]           destination_valid;
    logic [NumDestinations-1:0][RegBits-1:0] destination;
    logic [NumSources-1:0]                dead;              // last read of this source by the warp
    logic [NumSources-1:0][1:0]           source_placement;      // software-managed hierarchies
    logic [NumDestinations-1:0][1:0]      destination_placement; // software-managed hierarchies
  } issue_t;

  // ---- to the SM's dispatch stage; the data travels beside it ----
  typedef struct packed {
    logic               valid;
    logic [TagBits-1:0] tag;
  } operands_t;

  // ---- from the SM's write-back stage; the data travels beside it ----
  typedef struct packed {
    logic                valid;
    logic [TagBits-1:0]  tag;
    logic [WarpBits-1:0] warp;
    logic [RegBits-1:0]  register;
    logic [NumLanes-1:0] mask;
    logic                last;
  } result_t;

  // ---- from the SM's warp scheduler and CTA launch ----
  typedef struct packed {
    logic                    valid;
    logic [2:0]              op;
    logic [WarpBits-1:0]     warp;
    logic [IntervalBits-1:0] interval;
    logic [15:0]             index;   // map entry, or block of map entries
    logic [15:0]             value;   // registers per thread, warp base or map value
    logic                    gating;  // with kernel start
    // prefetch: the working set, one bit a register; map entry: 32 entries of 8 bits
    logic [VectorWords-1:0][31:0] vector;
  } command_t;

  typedef struct packed {
    logic                    valid;
    logic [2:0]              op;
    logic [WarpBits-1:0]     warp;
    logic [IntervalBits-1:0] interval;
  } done_t;

  // ---- to the SM's warp scheduler ----
  typedef struct packed {
    logic [BankWords-1:0][31:0] bank_busy;  // by main-register-file bank: occupied or draining
  } status_t;

  // ==== memory port ====

  // Values of mem_request_t.space.
  typedef enum logic [1:0] {
    MemGlobal = 2'd0,
    MemLocal  = 2'd1,
    MemShared = 2'd2
  } mem_space_e;

  // Values of mem_request_t.kind.
  typedef enum logic [1:0] {
    MemRead   = 2'd0,
    MemWrite  = 2'd1,
    MemAtomic = 2'd2,
    MemFence  = 2'd3
  } mem_kind_e;

  // Values of mem_response_t.outcome.
  typedef enum logic [1:0] {
    MemHit      = 2'd0,
    MemMiss     = 2'd1,
    MemMerged   = 2'd2,
    MemBypassed = 2'd3
  } mem_outcome_e;

  // One coalesced access: the lanes of `mask` lie in one line (global, local) or are one warp's
  // shared-memory access.
  typedef struct packed {
    logic                       valid;
    logic [TagBits-1:0]         tag;
    logic [1:0]                 space;          // a mem_space_e
    logic [1:0]                 kind;           // a mem_kind_e
    logic [3:0]                 atomic;         // atomic operation, meaningful with MemAtomic
    logic [2:0]                 cache_operator; // 0 ca, 1 cg, 2 cs, 3 lu, 4 cv, 5 nc, 6 volatile
    logic [CtaSlotBits-1:0]     cta_slot;
    logic [2:0]                 size_log2;      // bytes a lane accesses
    logic [2:0]                 part;           // of an access in several requests; comes back
    logic [NumLanes-1:0]        mask;
    logic [NumLanes-1:0][31:0]  address;
  } mem_request_t;

  typedef struct packed {
    logic                valid;
    logic [TagBits-1:0]  tag;
    logic [NumLanes-1:0] mask;
    logic [2:0]          part;    // the request's
    logic [1:0]          outcome; // a mem_outcome_e
    logic                store;   // acknowledges a store
  } mem_response_t;

  typedef struct packed {
    logic                valid;
    logic [TagBits-1:0]  tag;
    logic [NumLanes-1:0] mask;
  } mem_performed_t;

  // Values of mem_lower_request_t.kind.
  typedef enum logic [2:0] {
    LowerFill        = 3'd0,
    LowerWriteBack   = 3'd1,
    LowerBypassRead  = 3'd2,
    LowerBypassWrite = 3'd3,
    LowerAtomic      = 3'd4
  } lower_kind_e;

  // Lower side, towards L2.
  typedef struct packed {
    logic                 valid;
    logic [2:0]           kind;   // a lower_kind_e
    logic [LowerIdBits-1:0] id;
    logic [31:0]          line;   // byte address of the line
    logic [LineWords-1:0][31:0] byte_mask; // one bit a byte
  } mem_lower_request_t;

  typedef struct packed {
    logic        valid;
    logic [LowerIdBits-1:0] id;
    logic [31:0] line;
  } mem_lower_response_t;

endpackage
