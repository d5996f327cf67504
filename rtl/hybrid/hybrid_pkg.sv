// Sizes and types of the hybrid STT-RAM register file.
package hybrid_pkg;

  import heddle_port_pkg::*;
  import shell_pkg::*;

  localparam int unsigned SttBanks      = 2;   // even warps, odd warps (section 4.3)
  localparam int unsigned ArraysPerBank = 8;   // with two banks the 16 banks of table 3
  localparam int unsigned ArrayBits     = 3;
  localparam int unsigned ArrayRows     = 64;
  localparam int unsigned ArrayRowBits  = 6;
  // of a warp register in its bank
  localparam int unsigned AddressBits   = ArrayRowBits + ArrayBits;
  localparam int unsigned NumNumbers    = 64;  // registers of a thread (section 4.4)
  localparam int unsigned NumberBits    = 6;
  localparam int unsigned Buffers       = 2;
  localparam int unsigned BufferEntries = 64;  // of a write buffer
  localparam int unsigned SlotBits      = 6;
  localparam int unsigned AlwaysOn      = 16;  // entries that are never switched off (section 5.2)
  localparam int unsigned UseClasses    = 8;

  typedef logic [NumberBits-1:0]              number_t;  // register number of a thread
  typedef logic [SlotBits-1:0]                slot_t;    // entry of a write buffer
  typedef logic [SlotBits:0]                  count_t;
  typedef logic [ArraysPerBank-1:0]           array_set_t;
  typedef logic [BufferEntries-1:0]           entry_set_t;

  // A warp register's place in its bank. Even warps lie in bank 0, odd ones in bank 1; the bases of
  // odd warps begin at half the file.
  typedef struct packed {
    logic [ArrayRowBits-1:0] row;
    logic [ArrayBits-1:0]    array;
  } address_t;

  // A result that is accepted and not yet written; the data travels beside it.
  typedef struct packed {
    warp_t    warp;
    number_t  number;
    address_t address;
    mask_t    mask;
  } staged_t;

  typedef enum logic [1:0] {
    BufferFree  = 2'd0,
    BufferFill  = 2'd1,  // takes the results of the active warp
    BufferDrain = 2'd2   // writes the results of a warp that left back
  } buffer_state_e;

  // What happens at the write buffers in a cycle, one bit a buffer where it is a set.
  typedef struct packed {
    logic [Buffers-1:0]    write_back;   // an entry is written back
    logic [Buffers-1:0]    write;        // the oldest result is written to it
    logic [Buffers-1:0]    merge;        // of these, over an entry of its register
    logic [Buffers-1:0]    append;       // of these, while the buffer drains
    logic [Buffers-1:0]    wakes;        // its upper entries begin to be switched on
    logic                  look_up;      // the control module served a result that is written
    logic                  waits_power;  // why the oldest result waits
    logic                  waits_full;
    logic                  waits_bank;
    logic [UseClasses-1:0] period;       // entries used in the active period that ends
    entry_set_t            lost;         // entries of an ending warp that are not written back
  } buffer_cycle_t;

  // Class of the number of entries that a warp used in an active period, one bit a class: none, up
  // to 4, 8, 12, 16, 32, 48 and 64.
  function automatic logic [UseClasses-1:0] use_class(count_t used);
    if (used == '0) return 8'h01;
    if (used <= 7'd4) return 8'h02;
    if (used <= 7'd8) return 8'h04;
    if (used <= 7'd12) return 8'h08;
    if (used <= 7'd16) return 8'h10;
    if (used <= 7'd32) return 8'h20;
    if (used <= 7'd48) return 8'h40;
    return 8'h80;
  endfunction

endpackage
