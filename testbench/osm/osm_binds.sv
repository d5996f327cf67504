// Attaches the assertions to the modules of the shared-memory cache.
bind osm_cache osm_cache_assertions #(
  .Unified(Unified)
) u_assertions (
  .clk_i,
  .rst_ni,
  .flush_i,
  .request_i,
  .ready_i      (request_ready_o),
  .alone_i      (request.through || request.past),
  .action_i     (action),
  .replaces_i   (replaces),
  .writes_back_i(writes_back),
  .fill_i       (fills),
  .stores_i     (stores),
  .adds_i       (adds),
  .shut_i       (shut),
  .sums_next_i  (sums_next),
  .adding_i     (adding),
  .fetches_i    (fetches),
  .sectors_i    (sectors),
  .needed_i     (needed),
  .alike_i      (alike),
  .kind_i       (access.kind),
  .waiting_i    (waiting),
  .served_i     (served),
  .found_i      (found),
  .filling_i    (filling),
  .complete_i   (complete),
  .dirty_i      (dirty_bytes != '0),
  .oldest_i     (oldest),
  .candidates_i (candidates),
  .unlocked_i   (candidates & ~locked[wanted_set]),
  .idle_i       (idle_q),
  .response_i   (response_o.valid),
  .lower_i      (lower_request_o.valid)
);

bind line_table line_table_assertions #(
  .Sets(Sets)
) u_assertions (
  .clk_i,
  .rst_ni,
  .number_i     (number_q),
  .present_i    (present_q),
  .filling_i    (filling_q),
  .valid_bytes_i(valid_q[action_set][action_way]),
  .dirty_bytes_i(dirty_bytes_o),
  .ways_in_use_i(ways_in_use),
  .index_i,
  .wanted_i,
  .allocate_i,
  .begin_fill_i,
  .end_fill_i,
  .fill_index_i,
  .evict_i,
  .release_i,
  .of_slot_i    (of_slot_o)
);

bind lock_table lock_table_assertions #(
  .Sets       (Sets),
  .ReadCounter(ReadCounter)
) u_assertions (
  .clk_i,
  .rst_ni,
  .enable_i,
  .reads_to_unlock_i,
  .written_i,
  .read_i,
  .dropped_i,
  .locked_i(locked_q)
);

bind word_lock_table word_lock_table_assertions #(
  .Sets(Sets)
) u_assertions (
  .clk_i,
  .rst_ni,
  .enable_i,
  .written_i,
  .read_i,
  .banks_i,
  .row_i,
  .dropped_i,
  .locked_i(locked)
);

bind recency_order recency_order_assertions #(
  .Sets(Sets),
  .Ways(Ways)
) u_assertions (
  .clk_i,
  .rst_ni,
  .used_i,
  .set_i,
  .candidates_i(victims),
  .first_i     (first),
  .oldest_i    (oldest_o)
);

bind request_buffer request_buffer_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .in_use_i      (in_use),
  .active_i      (active_q),
  .away_i        (away_q),
  .return_i,
  .accept_i      (accept_o),
  .accept_index_i(accept_index_o),
  .serving_i     (valid_o),
  .index_i       (ended),
  .finish_i
);

bind fill_table fill_table_assertions #(
  .IndexBits(IndexBits)
) u_assertions (
  .clk_i,
  .rst_ni,
  .in_use_i       (in_use),
  .line_i         (line_q),
  .sectors_i      (sectors_q),
  .start_i,
  .start_line_i   (line_i),
  .start_sectors_i(sectors_i)
);

bind data_path data_path_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .action_i,
  .kind_i,
  .sums_i  (adds),
  .fill_i,
  .pass_i  (pass_q),
  .fills_i (fill_q),
  .store_i (store_q),
  .return_i(return_q)
);

bind response_ring response_ring_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .hit_latency_i,
  .write_i,
  .write_row_i(write_row),
  .valid_i    (valid_q),
  .count_i    (count_q)
);

bind osm_cache pass_selector_assertions #(
  .IndexBits(IndexBits)
) u_pass_assertions (
  .clk_i,
  .rst_ni,
  .ready_i     (!passes ? '0 : request.through ? waiting & ~filling : ready),
  .address_i    (address),
  .lane_index_i(lane_index),
  .size_log2_i (access.size_log2),
  .atomic_i    (access.kind == MemAtomic),
  .lanes_i     (pass_lanes),
  .banks_i     (banks),
  .row_i       (row)
);

// And what they must be seen to do.
bind osm_cache osm_cache_covers #(
  .Unified(Unified)
) u_covers (
  .clk_i,
  .rst_ni,
  .action_i     (action),
  .kind_i       (access.kind),
  .waiting_i    (waiting),
  .served_i     (served),
  .found_i      (found),
  .filling_i    (filling),
  .complete_i   (complete),
  .takes_line_i (takes_line),
  .replaces_i   (replaces),
  .writes_back_i(writes_back),
  .locked_i     (locked[line[WayBits+:SetBits]][line[WayBits-1:0]]),
  .wait_lines_i (wait_lines),
  .fill_i       (fills),
  .adds_i       (adds)
);

bind line_table line_table_covers #(
  .Sets(Sets)
) u_covers (
  .clk_i,
  .rst_ni,
  .present_i     (present_q),
  .ways_in_use_i (ways_in_use),
  .unused_i      (unused),
  .candidates_i  (candidates_o),
  .on_their_way_i(on_their_way),
  .busy_i        (busy_o),
  .allocate_i,
  .begin_fill_i,
  .end_fill_i,
  .fill_bytes_i  (fill_bytes_o),
  .release_i,
  .of_slot_i     (of_slot_o)
);

bind lock_table lock_table_covers #(
  .Sets       (Sets),
  .ReadCounter(ReadCounter)
) u_covers (
  .clk_i,
  .rst_ni,
  .enable_i,
  .written_i,
  .read_i,
  .dropped_i,
  .locked_i   (locked_q),
  .last_read_i(last_read)
);

bind word_lock_table word_lock_table_covers #(
  .Sets(Sets)
) u_covers (
  .clk_i,
  .rst_ni,
  .written_i,
  .read_i,
  .dropped_i,
  .locked_i(locked),
  .lock_i  (lock_o),
  .unlock_i(unlock_o)
);

bind fill_table fill_table_covers u_covers (
  .clk_i,
  .rst_ni,
  .in_use_i(in_use),
  .start_i,
  .finish_i
);

bind request_buffer request_buffer_covers u_covers (
  .clk_i,
  .rst_ni,
  .accept_i    (accept_o),
  .finish_i,
  .in_use_i    (in_use),
  .candidates_i(candidates),
  .older_i     (u_order.older_q[0][index_o]),
  .wait_lines_i,
  .comes_now_i (comes_now),
  .active_i    (active_q),
  .awaited_i   (awaited_q),
  .wake_i,
  .wake_class_i
);
