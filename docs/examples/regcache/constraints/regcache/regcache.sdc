# Maxwell core clock: 1137 MHz.
create_clock -name clk -period 0.879 [get_ports clk_i]
set_clock_uncertainty 0.030 [get_clocks clk]

# All outputs are flops and all inputs come from flops of the SM, half a cycle for the wires.
set data_inputs [remove_from_collection [all_inputs] [get_ports {clk_i rst_ni config_i*}]]
set_input_delay 0.440 -clock clk $data_inputs
set_output_delay 0.440 -clock clk [all_outputs]

# Configuration is constant from reset on; reset is released in step with the clock outside.
set_false_path -from [get_ports {config_i* rst_ni}]
