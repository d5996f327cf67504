//! Published rows that no workload is held against, each with its reason.

/// Rows with one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotHeld {
    /// Why.
    pub reason: &'static str,
    /// Keys of the rows.
    pub rows: &'static [&'static str],
}

const BASE: &str = "Parboil's plain version; ours follows the optimised one";

/// All of them.
pub const NOT_HELD: &[NotHeld] = &[
    NotHeld {
        reason: "the same search in another suite; ours follows Rodinia's",
        rows: &["bfs-ispass/Kernel"],
    },
    NotHeld {
        reason: BASE,
        rows: &[
            "cutcp-base/cuda_cutoff_potential_lattice",
            "mri-gridding-base/binning_kernel",
            "mri-gridding-base/gridding_GPU",
            "mri-gridding-base/reorder_kernel",
            "sad-base/mb_sad_calc",
            "sgemm-base/mysgemmNT",
            "tpacf-base/gen_hists",
        ],
    },
    NotHeld {
        reason: "histo is held against one version of each entry: main and final of the optimised one, prescan and \
                 intermediates of the plain one",
        rows: &[
            "histo-base/histo_final_kernel",
            "histo-base/histo_main_kernel",
            "histo/histo_intermediates_kernel",
        ],
    },
    NotHeld {
        reason: "both of our histograms are merged by one entry, which follows the one of 256 bins",
        rows: &["histogram/mergeHistogram64Kernel"],
    },
    NotHeld {
        reason: "another instance of the same template; ours has the tile of 16 x 16",
        rows: &["matrixmul/MatrixMulCUDA32"],
    },
    NotHeld {
        reason: "a bitonic sort of the same sample, which is no step of the merge sort",
        rows: &["mergesort/bitonicMergeElementaryIntervalsKernel", "mergesort/bitonicSortSharedKernel"],
    },
    NotHeld {
        reason: "the later sample draws its numbers with a library; ours follows that of SDK 4.2",
        rows: &["montecarlo/MonteCarloOneBlockPerOption", "montecarlo/rngSetupStates"],
    },
    NotHeld {
        reason: "Rodinia's copy of the program; ours follows the ISPASS suite's",
        rows: &[
            "mummer-rodinia/mummergpuKernel",
            "mummer-rodinia/mummergpuRCKernel",
            "mummer-rodinia/printKernel",
        ],
    },
    NotHeld {
        reason: "a reduction with cooperative groups, which ours has not",
        rows: &[
            "reduction/cg_reduce",
            "reduction/cg_reduce-2",
            "reduction/multi_warp_cg_reduce",
            "reduction/multi_warp_cg_reduce-10",
            "reduction/multi_warp_cg_reduce-2",
            "reduction/multi_warp_cg_reduce-3",
            "reduction/multi_warp_cg_reduce-4",
            "reduction/multi_warp_cg_reduce-5",
            "reduction/multi_warp_cg_reduce-6",
            "reduction/multi_warp_cg_reduce-7",
            "reduction/multi_warp_cg_reduce-8",
            "reduction/multi_warp_cg_reduce-9",
        ],
    },
    NotHeld {
        reason: "a step of the sample's lesson, or another instance of its template; ours follows reduce6",
        rows: &[
            "reduction/reduce0",
            "reduction/reduce1",
            "reduction/reduce1-2",
            "reduction/reduce2",
            "reduction/reduce2-2",
            "reduction/reduce3",
            "reduction/reduce3-2",
            "reduction/reduce4",
            "reduction/reduce4-2",
            "reduction/reduce4-3",
            "reduction/reduce5",
            "reduction/reduce5-2",
            "reduction/reduce5-3",
            "reduction/reduce5-4",
            "reduction/reduce6-2",
            "reduction/reduce6-3",
            "reduction/reduce6-4",
            "reduction/reduce7",
            "reduction/reduce7-2",
            "reduction/reduce7-3",
            "reduction/reduce7-4",
            "reduction/reduce7-5",
        ],
    },
    NotHeld {
        reason: "the first version of srad; ours follows the second",
        rows: &[
            "srad-v1/compress",
            "srad-v1/extract",
            "srad-v1/prepare",
            "srad-v1/reduce",
            "srad-v1/srad",
            "srad-v1/srad2",
        ],
    },
];
