// The registers that are still to be decoded, by slot, and the slot that decodes.
//
// The next slot in rotating order that has registers left is chosen a cycle before it decodes, and
// its list and base are read then. Where no other slot has any, the chosen one stays chosen,
// whether it has registers left or not.
module decode_lists import ltrf_pkg::*; (
  input  logic                clk_i,
  input  logic                rst_ni,
  // a slot gets a list
  input  logic                start_i,
  input  slot_t               slot_i,
  input  index_t              base_i,
  input  vector_t             arrive_i,
  // decoding
  output slot_t               chosen_o,
  output index_t              base_o,
  output vector_t             list_o,
  input  vector_t             taken_i,  // registers of the list that are decoded
  output logic [NumSlots-1:0] empty_o
);

  vector_t list_q [NumSlots];
  index_t  base_q [NumSlots];
  slot_t   chosen_q;
  index_t  chosen_base_q;
  vector_t chosen_list_q;

  assign chosen_o = chosen_q;
  assign base_o   = chosen_base_q;
  assign list_o   = chosen_list_q;

  always_comb begin : empties
    for (int unsigned s = 0; s < NumSlots; s++) empty_o[s] = list_q[s] == '0;
  end

  // ---- the next choice ----
  logic [NumSlots-1:0] others, above, unused_bit;
  logic                any;
  slot_t               first, next;
  vector_t             left;

  always_comb begin : candidates
    for (int unsigned s = 0; s < NumSlots; s++) begin
      others[s] = slot_t'(s) != chosen_q &&
                  ((start_i && slot_i == slot_t'(s)) ? arrive_i != '0 : !empty_o[s]);
      above[s]  = others[s] && slot_t'(s) > chosen_q;
    end
  end

  lowest_bit #(
    .Width(NumSlots)
  ) u_first (
    .set_i  ((above != '0) ? above : others),
    .valid_o(any),
    .bit_o  (unused_bit),
    .index_o(first)
  );

  assign next = any ? first : chosen_q;
  assign left = chosen_list_q & ~taken_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin : lists
    if (!rst_ni) begin
      list_q        <= '{default: '0};
      chosen_list_q <= '0;
      chosen_q      <= slot_t'(NumSlots - 1);
    end else begin
      list_q[chosen_q] <= left;
      if (start_i) list_q[slot_i] <= arrive_i;
      chosen_q <= next;
      if (start_i && slot_i == next) chosen_list_q <= arrive_i;
      else chosen_list_q <= any ? list_q[first] : left;
    end
  end

  always_ff @(posedge clk_i) begin : bases
    if (start_i) base_q[slot_i] <= base_i;
    chosen_base_q <= (start_i && slot_i == next) ? base_i : base_q[next];
  end

endmodule
