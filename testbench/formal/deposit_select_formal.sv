// Which result is put beside its register, and that everything said of it is its own.
module deposit_select_formal
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic                open_i,
  input tag_bank_set_t       deposit_i,
  input line_t               line_i [NumTagBanks],
  input logic                refills_i [NumTagBanks],
  input logic                commit_i [NumTagBanks],
  input tag_bank_set_t       deposited_i,
  input logic [NumLanes-1:0] mask_i [NumTagBanks],
  input data_t               data_i [NumTagBanks],
  input line_t               chosen_line_i,
  input logic                mshr_open_i,
  input logic                fresh_i,
  input logic                done_i,
  input logic [NumLanes-1:0] chosen_mask_i,
  input data_t               chosen_data_i
);

  tag_bank_set_t first;
  tag_bank_t     lowest;

  assign first = deposit_i & (~deposit_i + tag_bank_set_t'(1));

  always_comb begin : places
    lowest = '0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (first[b]) lowest = tag_bank_t'(b);
    end
  end

  logic any, takes;
  assign any   = deposit_i != '0 && open_i;
  assign takes = any && (refills_i[lowest] || mshr_open_i);

  always_comb begin : checks
    LowestFirst : assert ((deposited_i & ~first) == '0);
    NotWhileAnswered : assert (open_i || (deposited_i == '0 && !fresh_i && !done_i));
    TakenWhereOpen : assert ((deposited_i != '0) == takes);
    LineOfResult : assert (!any || chosen_line_i == line_i[lowest]);
    DataOfResult :
    assert (!any || (chosen_mask_i == mask_i[lowest] && chosen_data_i == data_i[lowest]));
    FreshTells : assert (fresh_i == (any && refills_i[lowest]));
    DoneTells : assert (done_i == (any && commit_i[lowest]));
    HighestWaits : cover (any && deposit_i == '1 && !takes);
  end

endmodule

bind deposit_select deposit_select_formal u_formal (
  .open_i,
  .deposit_i,
  .line_i,
  .refills_i,
  .commit_i,
  .deposited_i  (deposited_o),
  .mask_i,
  .data_i,
  .chosen_line_i(line_o),
  .mshr_open_i,
  .fresh_i      (fresh_o),
  .done_i       (done_o),
  .chosen_mask_i(mask_o),
  .chosen_data_i(data_o)
);
