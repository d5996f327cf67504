// Longest matches of many short reads in a reference sequence, by its suffix tree. A thread takes a read: from each of its
// letters on it walks down the tree as far as the letters agree. For the next start it follows a suffix
// link, from which so many letters are known to match that only lengths of edges are looked at. The
// second entry walks along the other strand: the complement, backwards.

constexpr int Threads = 64;
constexpr unsigned Root = 0;

// The edge into a node is labelled with letters `begin` to `end` of the reference, both included. The suffix link leads
// to the node whose string lacks the first letter; a leaf has none.
struct __align__(16) Node {
    unsigned parent, begin, end, suffix;
};

// Nodes below, by the first letter of their edges; 0 where there is none.
struct __align__(16) Children {
    unsigned a, c, g, t;
};

// Where a match ends: the node that the edge leads to, and how many letters of the edge match.
struct __align__(8) Match {
    unsigned node;
    int on_edge;
};

__device__ unsigned child(const Children *__restrict__ children, unsigned node, char letter)
{
    const Children below = children[node];
    switch (letter) {
    case 'A':
        return below.a;
    case 'C':
        return below.c;
    case 'G':
        return below.g;
    case 'T':
        return below.t;
    default:
        return Root;
    }
}

__device__ char complement(char letter)
{
    switch (letter) {
    case 'A':
        return 'T';
    case 'C':
        return 'G';
    case 'G':
        return 'C';
    case 'T':
        return 'A';
    default:
        return letter;
    }
}

// The letters of a read, with a zero after the last.
struct Forward {
    const char *letters;

    __device__ Forward(const char *read, int) : letters(read) {}
    __device__ void advance() { ++letters; }
    __device__ char operator[](int i) const { return letters[i]; }
};

// Those of the other strand; a zero stands before the read too.
struct Backward {
    const char *letters;

    __device__ Backward(const char *read, int length) : letters(read + length - 1) {}
    __device__ void advance() { --letters; }
    __device__ char operator[](int i) const { return complement(letters[-i]); }
};

template <class Strand>
__device__ void match(Match *matches, const char *reads, const int *begins, const int *lengths, int count, int least,
                      const Node *__restrict__ nodes, const Children *__restrict__ children,
                      const char *__restrict__ reference)
{
    const int index = blockIdx.x * Threads + threadIdx.x;
    if (index >= count)
        return;
    const int begin = begins[index];
    const int length = lengths[index];
    // A read has `least` starts less than letters with its zero.
    Match *result = matches + begin - index * least;
    Strand letters(reads + begin, length);
    unsigned node = Root;
    // Letters down to `node`, and letters below that are known to match.
    int depth = 0;
    int known = 0;
    for (int starts = length - least; starts >= 0; --starts, ++result, letters.advance()) {
        Match found = {Root, 0};
        for (;;) {
            const unsigned next = child(children, node, letters[depth]);
            if (next == Root)
                break;
            const Node below = nodes[next];
            const int edge = below.end - below.begin + 1;
            int on_edge = min(known, edge);
            known -= on_edge;
            if (on_edge < edge) {
                // The child was chosen by the first letter.
                on_edge = max(on_edge, 1);
                while (on_edge < edge && letters[depth + on_edge] == reference[below.begin + on_edge])
                    ++on_edge;
                if (on_edge < edge) {
                    found = {next, on_edge};
                    break;
                }
            }
            node = next;
            depth += edge;
        }
        known = found.on_edge;
        const bool long_enough = depth + found.on_edge >= least;
        const Node above = nodes[node];
        if (found.node == Root)
            found = {node, (int)(above.end - above.begin + 1)};
        *result = long_enough ? found : Match{Root, 0};
        if (node == Root) {
            known = max(known - 1, 0);
        } else {
            node = above.suffix;
            --depth;
        }
    }
}

extern "C" __global__ void __launch_bounds__(Threads)
    mummer_match(Match *matches, const char *reads, const int *begins, const int *lengths, int count, int least,
                 const Node *__restrict__ nodes, const Children *__restrict__ children,
                 const char *__restrict__ reference)
{
    match<Forward>(matches, reads, begins, lengths, count, least, nodes, children, reference);
}

extern "C" __global__ void __launch_bounds__(Threads)
    mummer_match_reverse(Match *matches, const char *reads, const int *begins, const int *lengths, int count,
                         int least, const Node *__restrict__ nodes, const Children *__restrict__ children,
                         const char *__restrict__ reference)
{
    match<Backward>(matches, reads, begins, lengths, count, least, nodes, children, reference);
}
