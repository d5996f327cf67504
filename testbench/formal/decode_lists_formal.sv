// The lists of the slots and the slot that decodes, against the same a cycle before.
module decode_lists_formal import ltrf_pkg::*; (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                start_i,
  input slot_t               slot_i,
  input index_t              base_i,
  input vector_t             arrive_i,
  input slot_t               chosen_i,
  input index_t              base_shown_i,
  input vector_t             list_shown_i,
  input vector_t             taken_i,
  input logic [NumSlots-1:0] empty_i,
  input vector_t             list_i [NumSlots],
  input index_t              base_of_i [NumSlots]
);

  localparam int unsigned CountBits = SlotBits + 1;

  // The cycle before, from the first one after reset on.
  logic    past_q;
  logic    start_q;
  slot_t   slot_q;
  vector_t arrive_q, taken_q;
  slot_t   chosen_q;
  vector_t list_q [NumSlots];
  index_t  base_q, base_of_q [NumSlots];

  always_ff @(posedge clk_i or negedge rst_ni) begin : first_cycle
    if (!rst_ni) past_q <= 1'b0;
    else past_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin : last_cycle
    start_q   <= start_i;
    slot_q    <= slot_i;
    arrive_q  <= arrive_i;
    taken_q   <= taken_i;
    chosen_q  <= chosen_i;
    list_q    <= list_i;
    base_q    <= base_i;
    base_of_q <= base_of_i;
  end

  // How many places a slot is behind the one that was chosen: 1 to NumSlots.
  logic [CountBits-1:0] turn [NumSlots];

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    assign turn[s] = (slot_t'(s) > chosen_q) ? CountBits'(s) - CountBits'(chosen_q) :
                                               CountBits'(s + NumSlots) - CountBits'(chosen_q);

    always_comb begin : checks
      if (rst_ni) begin
        EmptyTells : assert (empty_i[s] == (list_i[s] == '0));
        InTurn : assert (!past_q || empty_i[s] || turn[s] >= turn[chosen_i]);
        ListsAreKept :
        assert (!past_q || list_i[s] == (
            (start_q && slot_q == slot_t'(s)) ? arrive_q :
            (chosen_q == slot_t'(s)) ? list_q[s] & ~taken_q : list_q[s]));
        BasesAreKept :
        assert (!past_q || base_of_i[s] == (
            (start_q && slot_q == slot_t'(s)) ? base_q : base_of_q[s]));
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      ListOfChosen : assert (list_shown_i == list_i[chosen_i]);
      BaseOfChosen : assert (list_shown_i == '0 || base_shown_i == base_of_i[chosen_i]);
      NoneWaitsForNothing : assert (list_shown_i != '0 || empty_i == '1);
      AllListed : cover (empty_i == '0 && past_q && chosen_q == slot_t'(NumSlots - 1));
    end
  end

endmodule

bind decode_lists decode_lists_formal u_formal (
  .clk_i,
  .rst_ni,
  .start_i,
  .slot_i,
  .base_i,
  .arrive_i,
  .chosen_i    (chosen_o),
  .base_shown_i(base_o),
  .list_shown_i(list_o),
  .taken_i,
  .empty_i     (empty_o),
  .list_i      (list_q),
  .base_of_i   (base_q)
);
