// A line is in one way at most; lines change only as the actions allow.
module line_table_assertions
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = SetBits + WayBits
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input way_set_t             number_i [Sets][NumberBits],
  input way_set_t             present_i [Sets],
  input way_set_t             filling_i [Sets],
  input byte_set_t            valid_bytes_i,
  input byte_set_t            dirty_bytes_i,
  input way_set_t             ways_in_use_i,
  input logic [IndexBits-1:0] index_i,
  input number_t              wanted_i,
  input logic                 allocate_i,
  input logic                 begin_fill_i,
  input logic                 end_fill_i,
  input logic                 evict_i,
  input logic                 release_i,
  input way_set_t             of_slot_i [Sets]
);

  logic [SetBits-1:0] set;
  way_t               way;
  logic               present, filling;
  way_set_t           same;

  assign {set, way} = index_i;
  assign present    = present_i[set][way];
  assign filling    = filling_i[set][way];

  always_comb begin : search
    same = present_i[set];
    for (int unsigned k = 0; k < NumberBits; k++) begin
      same &= wanted_i[k] ? number_i[set][k] : ~number_i[set][k];
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      AllocateFree :
      assert (!allocate_i || (!present && !filling))
      else $error("AllocateFree: line %0d is taken", index_i);
      OneWayALine :
      assert (!allocate_i || same == '0)
      else $error("OneWayALine: line %h is there already", wanted_i);
      EvictPresent :
      assert (!evict_i || (present && !filling))
      else $error("EvictPresent: line %0d leaves, present %b, on its way %b",
                  index_i, present, filling);
      FillOnce :
      assert (!begin_fill_i || !filling)
      else $error("FillOnce: line %0d is on its way already", index_i);
      FillExpected :
      assert (!end_fill_i || (present && filling))
      else $error("FillExpected: line %0d comes, present %b, on its way %b",
                  index_i, present, filling);
      DirtyIsValid :
      assert (!evict_i || (dirty_bytes_i & ~valid_bytes_i) == '0)
      else $error("DirtyIsValid: line %0d writes back bytes that it does not have", index_i);
      for (int unsigned s = 0; s < Sets; s++) begin
        WithinSize :
        assert ((present_i[s] & ~ways_in_use_i) == '0)
        else $error("WithinSize: set %0d has lines in %h", s, present_i[s]);
        FillingIsPresent :
        assert ((filling_i[s] & ~present_i[s]) == '0)
        else $error("FillingIsPresent: set %0d, on their way %h, present %h",
                    s, filling_i[s], present_i[s]);
        ReleaseAfterReads :
        assert (!release_i || (of_slot_i[s] & filling_i[s]) == '0)
        else $error("ReleaseAfterReads: a CTA ends while lines %h are on their way", filling_i[s]);
      end
    end
  end

endmodule
