// Breadth-first search, one level per pair of launches, over a graph in compressed rows.
//
// `bfs_expand` visits the neighbours of every node of the frontier. Several threads may mark the same
// node; all of them store the same values. `bfs_advance` makes the marked nodes the next frontier and
// sets the flag that asks the host for another level.

struct Node {
    int first_edge;
    int num_edges;
};

extern "C" __global__ void bfs_expand(const Node *nodes, const int *edges, unsigned char *frontier,
                                      unsigned char *marked, const unsigned char *visited, int *cost,
                                      int num_nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < num_nodes && frontier[node]) {
        frontier[node] = 0;
        const int end = nodes[node].first_edge + nodes[node].num_edges;
        for (int e = nodes[node].first_edge; e < end; ++e) {
            const int neighbour = edges[e];
            if (!visited[neighbour]) {
                cost[neighbour] = cost[node] + 1;
                marked[neighbour] = 1;
            }
        }
    }
}

extern "C" __global__ void bfs_advance(unsigned char *frontier, unsigned char *marked,
                                       unsigned char *visited, int *again, int num_nodes)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < num_nodes && marked[node]) {
        frontier[node] = 1;
        visited[node] = 1;
        *again = 1;
        marked[node] = 0;
    }
}
