# Fermi core clock: 700 MHz.
create_clock -name clk -period 1.428 [get_ports clk_i]
set_clock_uncertainty 0.030 [get_clocks clk]

# Inputs come from flops of the SM and outputs go to flops of the SM; half a cycle for the wires on each side.
set data_inputs [remove_from_collection [all_inputs] [get_ports {clk_i rst_ni config_i*}]]
set_input_delay 0.714 -clock clk $data_inputs
set_output_delay 0.714 -clock clk [all_outputs]

# Configuration is constant from reset on; reset is released in step with the clock outside.
set_false_path -from [get_ports {config_i* rst_ni}]
