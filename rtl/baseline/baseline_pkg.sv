// Sizes and types of the baseline register file.
package baseline_pkg;

  import heddle_port_pkg::*;

  localparam int unsigned NumBanks      = 16;
  localparam int unsigned BankBits      = 4;
  localparam int unsigned NumCollectors = 16;
  localparam int unsigned CollectorBits = 4;
  localparam int unsigned SourceBits    = 3;
  localparam int unsigned IndexBits     = 16;                    // warp register index
  localparam int unsigned FullRowBits   = IndexBits - BankBits;  // row of the largest file

  typedef logic [BankBits-1:0]                bank_t;
  typedef logic [CollectorBits-1:0]           collector_t;
  typedef logic [SourceBits-1:0]              source_t;
  typedef logic [IndexBits-1:0]               index_t;
  typedef logic [FullRowBits-1:0]             row_t;
  typedef logic [NumSources-1:0]              source_set_t;
  typedef logic [NumCollectors-1:0]           collector_set_t;
  typedef logic [NumBanks-1:0]                bank_set_t;
  typedef logic [NumLanes-1:0][LaneBits-1:0]  data_t;

  // Where a register lies; as a number, its warp register index.
  typedef struct packed {
    row_t  row;
    bank_t bank;
  } location_t;

  // One result on its way into its bank; the data travels beside it.
  typedef struct packed {
    row_t                row;
    logic [NumLanes-1:0] mask;
  } write_t;

  function automatic location_t locate(index_t base, logic [RegBits-1:0] reg_number);
    return location_t'(base + index_t'(reg_number));
  endfunction

endpackage
