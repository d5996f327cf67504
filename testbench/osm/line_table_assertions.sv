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
  input way_set_t             filling_i [Sets][NumSectors],
  input byte_set_t            valid_bytes_i,
  input byte_set_t            dirty_bytes_i,
  input way_set_t             ways_in_use_i,
  input logic [IndexBits-1:0] index_i,
  input number_t              wanted_i,
  input logic                 allocate_i,
  input sector_set_t          begin_fill_i,
  input sector_set_t          end_fill_i,
  input logic [IndexBits-1:0] fill_index_i,
  input logic                 evict_i,
  input logic                 release_i,
  input way_set_t             of_slot_i [Sets]
);

  logic [SetBits-1:0] set, fill_set;
  way_t               way, fill_way;
  logic               present;
  sector_set_t        filling, expected;
  way_set_t           same;
  way_set_t           on_their_way [Sets];

  assign {set, way} = index_i;
  assign present    = present_i[set][way];

  assign {fill_set, fill_way} = fill_index_i;

  always_comb begin : sectors
    for (int unsigned k = 0; k < NumSectors; k++) begin
      filling[k]  = filling_i[set][k][way];
      expected[k] = filling_i[fill_set][k][fill_way];
    end
    for (int unsigned s = 0; s < Sets; s++) begin
      on_their_way[s] = '0;
      for (int unsigned k = 0; k < NumSectors; k++) on_their_way[s] |= filling_i[s][k];
    end
  end

  always_comb begin : search
    same = present_i[set];
    for (int unsigned k = 0; k < NumberBits; k++) begin
      same &= wanted_i[k] ? number_i[set][k] : ~number_i[set][k];
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      AllocateSettled :
      assert (!allocate_i || filling == '0)
      else $error("AllocateSettled: line %0d is taken, on its way %b", index_i, filling);
      OneWayALine :
      assert (!allocate_i || same == '0)
      else $error("OneWayALine: line %h is there already", wanted_i);
      EvictPresent :
      assert (!evict_i || (present && filling == '0))
      else $error("EvictPresent: line %0d leaves, present %b, on its way %b",
                  index_i, present, filling);
      FillOnce :
      assert ((begin_fill_i & filling) == '0)
      else $error("FillOnce: sectors %b of line %0d, on their way %b",
                  begin_fill_i, index_i, filling);
      FillExpected :
      assert ((end_fill_i & ~expected) == '0)
      else $error("FillExpected: sectors %b of line %0d come, on their way %b",
                  end_fill_i, fill_index_i, expected);
      DirtyIsValid :
      assert (!(allocate_i && present) || (dirty_bytes_i & ~valid_bytes_i) == '0)
      else $error("DirtyIsValid: line %0d writes back bytes that it does not have", index_i);
      for (int unsigned s = 0; s < Sets; s++) begin
        WithinSize :
        assert ((present_i[s] & ~ways_in_use_i) == '0)
        else $error("WithinSize: set %0d has lines in %h", s, present_i[s]);
        FillingIsPresent :
        assert ((on_their_way[s] & ~present_i[s]) == '0)
        else $error("FillingIsPresent: set %0d, on their way %h, present %h",
                    s, on_their_way[s], present_i[s]);
        ReleaseAfterReads :
        assert (!release_i || (of_slot_i[s] & on_their_way[s]) == '0)
        else $error("ReleaseAfterReads: a CTA ends while lines %h are on their way",
                    on_their_way[s]);
      end
    end
  end

endmodule
