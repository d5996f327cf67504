// What the lines of the cache must be seen to do: sets that are empty, full and all on their way,
// sectors of a line that come one by one or at once, and the lines of a CTA slot that go.
module line_table_covers
  import osm_pkg::*;
#(
  parameter int unsigned Sets = 1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input way_set_t    present_i [Sets],
  input way_set_t    ways_in_use_i,
  input way_set_t    unused_i,        // of the set in which a line is wanted
  input way_set_t    candidates_i,
  input way_set_t    on_their_way_i,
  input logic        busy_i,          // sectors of the line of the action are on their way
  input logic        allocate_i,
  input sector_set_t begin_fill_i,
  input sector_set_t end_fill_i,
  input byte_set_t   fill_bytes_i,
  input logic        release_i,
  input way_set_t    of_slot_i [Sets]
);

  logic any, slot_has, all_full;

  always_comb begin : all_sets
    any      = 1'b0;
    slot_has = 1'b0;
    all_full = 1'b1;
    for (int unsigned s = 0; s < Sets; s++) begin
      any      |= present_i[s] != '0;
      slot_has |= of_slot_i[s] != '0;
      all_full &= present_i[s] == ways_in_use_i;
    end
  end

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- full and empty ----
  Empty : cover property (!any);
  AllFull : cover property (all_full);
  FirstLine : cover property (allocate_i && !any);
  LastFreeWay : cover property (allocate_i && $onehot(unused_i));
  TakesVictim : cover property (allocate_i && unused_i == '0);
  OneCandidate : cover property (allocate_i && unused_i == '0 && $onehot(candidates_i));
  AllOnTheirWay : cover property (on_their_way_i == ways_in_use_i);

  // ---- sectors ----
  FetchesSector : cover property ($onehot(begin_fill_i));
  FetchesLine : cover property (begin_fill_i == '1);
  FetchesMore : cover property (begin_fill_i != '0 && busy_i && !allocate_i);
  SectorComes : cover property ($onehot(end_fill_i));
  LineComes : cover property (end_fill_i == '1);
  ComesBesideFetch : cover property (end_fill_i != '0 && begin_fill_i != '0);
  AllBytesMissing : cover property (end_fill_i != '0 && fill_bytes_i == bytes_of(end_fill_i));
  SomeBytesMissing : cover property (
      fill_bytes_i != '0 && fill_bytes_i != bytes_of(end_fill_i));

  // ---- the end of a CTA ----
  ReleasesLines : cover property (release_i && slot_has);
  ReleasesNothing : cover property (release_i && !slot_has);

endmodule
