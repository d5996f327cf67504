// Gives each accepted issue slot the lowest free collector that no lower slot took.
module collector_allocator
  import baseline_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input  collector_set_t        in_use_i,
  input  logic [IssueWidth-1:0] accept_i,
  output collector_t            collector_o [IssueWidth],  // meaningful where accept_i
  output collector_set_t        allocated_o
);

  function automatic collector_t lowest(collector_set_t set);
    collector_t index;
    index = '0;
    for (int c = int'(NumCollectors) - 1; c >= 0; c--) begin
      if (set[c]) index = collector_t'(c);
    end
    return index;
  endfunction

  collector_set_t free;

  always_comb begin : allocate
    free        = ~in_use_i;
    allocated_o = '0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      collector_o[slot] = '0;
      if (accept_i[slot]) begin
        collector_o[slot]              = lowest(free);
        allocated_o[collector_o[slot]] = 1'b1;
        free[collector_o[slot]]        = 1'b0;
      end
    end
  end

endmodule
