// Look-ups in a B+ tree, one block a query and one thread a key of a node. On each level the thread
// whose key is the last one not above the query says which child is next; the way down goes through
// global memory. Unused keys of a node are the largest integer.

constexpr int Order = 256;

struct Node {
    int location;
    int indices[Order + 1];
    int keys[Order + 1];
    bool leaf;
    int count;
};

struct Record {
    int value;
};

// The value of the record of each key. `current` and `next` hold the node of each query, the root at first.
extern "C" __global__ void __launch_bounds__(Order)
    btree_find(long long height, const Node *nodes, long long node_count, const Record *records,
               long long *current, long long *next, const int *queries, Record *answers)
{
    const int slot = threadIdx.x;
    const int query = blockIdx.x;

#pragma unroll 1
    for (int level = 0; level < height; ++level) {
        if (nodes[current[query]].keys[slot] <= queries[query]
            && nodes[current[query]].keys[slot + 1] > queries[query]) {
            // Only a broken tree has children outside.
            if (nodes[next[query]].indices[slot] < node_count)
                next[query] = nodes[next[query]].indices[slot];
        }
        __syncthreads();
        if (slot == 0)
            current[query] = next[query];
        __syncthreads();
    }

    if (nodes[current[query]].keys[slot] == queries[query])
        answers[query].value = records[nodes[current[query]].indices[slot]].value;
}

// The first record and the number of records of each range of keys, both ends inclusive. The way to the
// range's begin and that to its end are gone side by side.
extern "C" __global__ void __launch_bounds__(Order)
    btree_find_range(long long height, const Node *nodes, long long node_count, long long *current,
                     long long *next, long long *current_end, long long *next_end, const int *begins,
                     const int *ends, int *first, int *length)
{
    const int slot = threadIdx.x;
    const int query = blockIdx.x;

#pragma unroll 1
    for (int level = 0; level < height; ++level) {
        if (nodes[current[query]].keys[slot] <= begins[query]
            && nodes[current[query]].keys[slot + 1] > begins[query]) {
            if (nodes[next[query]].indices[slot] < node_count)
                next[query] = nodes[next[query]].indices[slot];
        }
        if (nodes[current_end[query]].keys[slot] <= ends[query]
            && nodes[current_end[query]].keys[slot + 1] > ends[query]) {
            if (nodes[next_end[query]].indices[slot] < node_count)
                next_end[query] = nodes[next_end[query]].indices[slot];
        }
        __syncthreads();
        if (slot == 0) {
            current[query] = next[query];
            current_end[query] = next_end[query];
        }
        __syncthreads();
    }

    if (nodes[current[query]].keys[slot] == begins[query])
        first[query] = nodes[current[query]].indices[slot];
    __syncthreads();
    if (nodes[current_end[query]].keys[slot] == ends[query])
        length[query] = nodes[current_end[query]].indices[slot] - first[query] + 1;
}
