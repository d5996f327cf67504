// Sizes and types of the racetrack register file.
package racetrack_pkg;

  import heddle_port_pkg::*;
  import shell_pkg::*;

  localparam int unsigned QueueDepth     = 4;  // read requests a bank
  localparam int unsigned BufferEntries  = 2;  // write-buffer entries a bank (section 5, figure 1)
  localparam int unsigned BanksServed    = 4;  // banks served at once (section 2.3)
  localparam int unsigned PositionBits   = 4;  // of the offset within a port's region, at most
  // entries of the mapping table that one command carries
  localparam int unsigned BlockEntries   = 32;
  localparam int unsigned BankBlocks     = 4;  // blocks a bank, of 128 rows
  localparam int unsigned EntryBits      = 8;  // a place, right-aligned
  localparam int unsigned PlaceBits      = $clog2(BankBlocks * BlockEntries);

  typedef logic [PositionBits-1:0] position_t;

  // A physical entry of a bank: the region of an access port, times Offsets, and the offset in it.
  typedef logic [PlaceBits-1:0]    place_t;

  // Who asked for a read.
  typedef struct packed {
    collector_t collector;
    source_t    source;
  } target_t;

  // Cycles of a bank's accesses and shifts, whether banks that are not served may shift, and
  // whether a bank on its way to an offset gives its place back.
  typedef struct packed {
    logic       shift_release;
    logic       preshift;
    logic [7:0] shift;
    logic [7:0] write;
    logic [7:0] read;
  } timing_t;

  // What a bank does in a cycle.
  typedef enum logic [1:0] {
    BankIdle  = 2'd0,
    BankRead  = 2'd1,
    BankWrite = 2'd2,
    BankShift = 2'd3
  } bank_action_e;

endpackage
