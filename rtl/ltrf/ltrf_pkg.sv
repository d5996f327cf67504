// Sizes and types of the LTRF register file (LTRF, ACM TOCS, section 5, figures 11 to 13).
package ltrf_pkg;

  import heddle_port_pkg::*;

  localparam int unsigned NumSlots      = 8;   // active warps, one warp offset each
  localparam int unsigned SlotBits      = 3;
  localparam int unsigned NumCacheBanks = 16;  // registers of one warp in the cache
  localparam int unsigned CacheBankBits = 4;
  localparam int unsigned NumMainBanks  = 16;  // lanes, each with one main bank or several
  localparam int unsigned MainBankBits  = 4;
  localparam int unsigned NumCollectors = shell_pkg::DefaultCollectors;
  localparam int unsigned TablePorts    = 2;   // read ports of a warp's address table
  localparam int unsigned NumBeats      = 4;   // beats of one register through a crossbar lane
  localparam int unsigned QueueDepth    = 4;   // results a result port holds
  localparam int unsigned QueueBits     = 2;
  localparam int unsigned QueueCountBits = 3;
  localparam int unsigned NumColumns    = 16;  // registers of one number modulo 16: one main bank
  localparam int unsigned ColumnBits    = 4;

  // Bits of all warp control blocks: 256 x (4-bit cache bank + valid), warp offset, working set.
  localparam int unsigned WcbBits =
      NumWarps * (NumRegs * (CacheBankBits + 1) + SlotBits + NumRegs);

  // And of LTRF+, with a liveness vector.
  localparam int unsigned WcbBitsPlus = WcbBits + NumWarps * NumRegs;

  typedef logic [SlotBits-1:0]      slot_t;
  typedef logic [WarpBits-1:0]      warp_t;
  typedef logic [RegBits-1:0]       reg_t;
  typedef logic [NumRegs-1:0]       vector_t;
  typedef logic [CacheBankBits-1:0] cache_bank_t;
  typedef logic [MainBankBits-1:0]  main_bank_t;
  typedef shell_pkg::collector_t     collector_t;
  typedef shell_pkg::collector_set_t collector_set_t;
  typedef shell_pkg::source_t        source_t;
  typedef shell_pkg::source_set_t    source_set_t;
  typedef logic [11:0]              row_t;
  typedef shell_pkg::mask_t         lanes_t;
  typedef shell_pkg::data_t         data_t;

  // A warp register of the main register file: base of the warp + register. Interleaved over the
  // lanes, and its row over the banks of a lane.
  typedef struct packed {
    row_t       row;
    main_bank_t bank;
  } index_t;

  // What the prefetch engine does for the warp of a slot.
  typedef enum logic [2:0] {
    SlotIdle    = 3'd0,  // no warp
    SlotReady   = 3'd1,  // active, nothing under way
    // prefetch: writes back what leaves the working set, fetches what is missing
    SlotSwap    = 3'd2,
    SlotFill    = 3'd3,  // activation: fetches the working set
    SlotEvict   = 3'd4,  // deactivation: everything is to be written back
    SlotRelease = 3'd5   // exit: gives the cache banks back
  } slot_state_e;

  // The register that a cache bank holds for a slot: its number and its warp register.
  typedef struct packed {
    reg_t   reg_no;
    index_t index;
  } held_t;

  // A register that waits for its main bank to be read.
  typedef struct packed {
    reg_t        reg_no;
    row_t        row;
    cache_bank_t cache_bank;
  } fetch_t;

  // What travels, beside its row, with a register towards the cache.
  typedef struct packed {
    slot_t       slot;
    reg_t        reg_no;
    cache_bank_t cache_bank;
  } outbound_t;

  // One accepted result; the data lies beside it.
  typedef struct packed {
    warp_t  warp;
    reg_t   reg_no;
    lanes_t mask;
    index_t index;
  } result_entry_t;

  // Where a result goes, pinned until it went.
  typedef struct packed {
    logic        hit;
    cache_bank_t cache_bank;
    slot_t       slot;
  } location_t;

  // What operands and commands see of one entry of a result queue.
  typedef struct packed {
    logic   valid;
    logic   leaving;  // written to the cache or handed to the main register file in this cycle
    warp_t  warp;
    reg_t   reg_no;
  } queue_view_t;

  // The register that one entry of a result queue pins: in the cache, in the main register file, or
  // none, as long as the result has no location.
  typedef struct packed {
    logic [NumSlots-1:0]      slot;        // in the cache: one of these
    logic [NumCacheBanks-1:0] cache_bank;  // and one of these
    logic                     main;
    index_t                   index;
  } pin_t;

  // What the rest of the design sees of a slot.
  typedef struct packed {
    slot_state_e state;
    logic        finished;    // done as soon as it is reported
    warp_t       warp;
    logic [IntervalBits-1:0] interval;
    logic        leaving;     // registers are to be written back, of leave_warp
    warp_t       leave_warp;
  } slot_view_t;

endpackage
