# Volta core clock: 1132 MHz.
create_clock -name clk -period 0.883 [get_ports clk_i]
set_clock_uncertainty 0.030 [get_clocks clk]

# All outputs are flops and all inputs come from flops of the SM, half a cycle for the wires.
set_input_delay 0.440 -clock clk [all_inputs -no_clocks]
set_output_delay 0.440 -clock clk [all_outputs]

# Configuration and reset are timed as the others: configuration is read at the end of the first
# cycle after reset and may change then, and reset is released in step with the clock.
