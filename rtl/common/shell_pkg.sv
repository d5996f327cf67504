// Sizes and types of the shell: what every register file does at the port.
package shell_pkg;

  import heddle_port_pkg::*;

  // What the cells' parameters are where a design does not say otherwise.
  localparam int unsigned DefaultBanks      = 16;
  localparam int unsigned DefaultCollectors = 16;

  localparam int unsigned SourceBits = 3;   // of a source slot
  localparam int unsigned BaseBits   = 16;  // of a warp base, so of a warp register's index
  localparam int unsigned MaxWidth   = 4;   // most slots of issue, operands and results
  localparam int unsigned LevelBits  = 4;   // of a number of buffered results

  typedef logic [BaseBits-1:0]                  index_t;
  typedef logic [SourceBits-1:0]                source_t;
  typedef logic [NumSources-1:0]                source_set_t;
  typedef logic [WarpBits-1:0]                  warp_t;
  typedef logic [RegBits-1:0]                   register_t;
  typedef logic [$clog2(DefaultCollectors)-1:0] collector_t;
  typedef logic [DefaultCollectors-1:0]         collector_set_t;
  typedef logic [NumLanes-1:0]                  mask_t;
  typedef logic [NumLanes-1:0][LaneBits-1:0]    data_t;

  // What happens at the port in a cycle; one bit a slot, or a command_op_e.
  typedef struct packed {
    logic [7:0]          command;        // accepted
    logic [MaxWidth-1:0] result_stall;   // offered and not accepted
    logic [MaxWidth-1:0] issue_stall;
    logic [MaxWidth-1:0] operand_stall;
    logic [MaxWidth-1:0] result_accept;
  } port_events_t;

  // The same, and what happens between the port and the design.
  typedef struct packed {
    logic [7:0]           registers_per_thread;
    logic [LevelBits-1:0] level;        // results that wait
    logic                 beyond;       // an access to a register that the file lacks
    collector_set_t       in_use;
    collector_set_t       dispatched;
    collector_set_t       allocated;
    port_events_t         port;
  } front_events_t;

endpackage
