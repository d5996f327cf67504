// Pages by their number of views, as a map and a group of MapReduce. The input is a text with lines of an address, a tab
// and a number. A first pass finds how much each task will emit, prefix sums make it places, and the map writes
// there: the number as key, the address as value. Grouping sorts the pairs, most views first, equal ones by
// address, and finds where the number changes. Keys and values have any length, so what is sorted is a directory of their
// places, and each comparison gathers.

constexpr int Threads = 256;
// Pairs that are sorted in shared memory.
constexpr int Unit = Threads;
// Elements of a block of the prefix sums, two a thread.
constexpr int Section = 256;

// A pair: place and size of its key and of its value, in bytes. Those that fill up the last unit have no key.
struct __align__(16) Pair {
    int key, key_bytes, value, value_bytes;
};

// Bytes of the address of a line, which a zero will follow.
__device__ int address_bytes(const char *line)
{
    int bytes = 0;
    while (line[bytes] != '\t')
        ++bytes;
    return bytes;
}

// Lines of a task lie a block apart, so that neighbours read neighbouring lines.
struct Task {
    int begin, end;

    __device__ Task(int lines, int per_task)
    {
        const int first = blockIdx.x * Threads * per_task;
        begin = first + threadIdx.x;
        end = min(first + Threads * per_task, lines);
    }
};

extern "C" __global__ void __launch_bounds__(Threads)
    pageviewrank_map_count(const char *text, const int *lines_begin, int lines, int per_task, int *pairs, int *key_bytes,
                           int *value_bytes)
{
    const Task task(lines, per_task);
    int count = 0;
    int bytes = 0;
    for (int i = task.begin; i < task.end; i += Threads) {
        ++count;
        bytes += address_bytes(text + lines_begin[i]) + 1;
    }
    const int index = blockIdx.x * Threads + threadIdx.x;
    pairs[index] = count;
    key_bytes[index] = count * (int)sizeof(int);
    value_bytes[index] = bytes;
}

extern "C" __global__ void __launch_bounds__(Threads)
    pageviewrank_map(const char *text, const int *lines_begin, int lines, int per_task, const int *pairs,
                     const int *key_bytes, const int *value_bytes, Pair *directory, char *keys, char *values)
{
    const Task task(lines, per_task);
    const int index = blockIdx.x * Threads + threadIdx.x;
    int pair = pairs[index];
    int key = key_bytes[index];
    int value = value_bytes[index];
    for (int i = task.begin; i < task.end; i += Threads) {
        const char *line = text + lines_begin[i];
        const int bytes = address_bytes(line);
        int views = 0;
        for (const char *digit = line + bytes + 1; *digit != '\n'; ++digit)
            views = views * 10 + (*digit - '0');
        *(int *)(keys + key) = views;
        for (int j = 0; j < bytes; ++j)
            values[value + j] = line[j];
        values[value + bytes] = 0;
        directory[pair] = {key, (int)sizeof(int), value, bytes + 1};
        ++pair;
        key += sizeof(int);
        value += bytes + 1;
    }
}

// Sums of all elements before each, within a section, and the total of the section.
extern "C" __global__ void __launch_bounds__(Section / 2)
    pageviewrank_scan(int *sums, int *totals, const int *input, int n)
{
    // One word in 32 is left out: strides of powers of two spread over the banks.
    __shared__ int tree[Section + Section / 32];
    const auto at = [&](int i) -> int & { return tree[i + i / 32]; };
    const int tid = threadIdx.x;
    const int low = blockIdx.x * Section + tid;
    const int high = low + Section / 2;
    at(tid) = low < n ? input[low] : 0;
    at(tid + Section / 2) = high < n ? input[high] : 0;
    int stride = 1;
    for (int nodes = Section / 2; nodes > 0; nodes /= 2, stride *= 2) {
        __syncthreads();
        if (tid < nodes)
            at(stride * (2 * tid + 2) - 1) += at(stride * (2 * tid + 1) - 1);
    }
    if (tid == 0) {
        totals[blockIdx.x] = at(Section - 1);
        at(Section - 1) = 0;
    }
    for (int nodes = 1; nodes < Section; nodes *= 2) {
        stride /= 2;
        __syncthreads();
        if (tid < nodes) {
            int &left = at(stride * (2 * tid + 1) - 1);
            int &right = at(stride * (2 * tid + 2) - 1);
            const int old = left;
            left = right;
            right += old;
        }
    }
    __syncthreads();
    if (low < n)
        sums[low] = at(tid);
    if (high < n)
        sums[high] = at(tid + Section / 2);
}

// Adds the sum of all sections before.
extern "C" __global__ void __launch_bounds__(Section / 2) pageviewrank_add(int *sums, const int *before, int n)
{
    __shared__ int base;
    if (threadIdx.x == 0)
        base = before[blockIdx.x];
    __syncthreads();
    const int low = blockIdx.x * Section + threadIdx.x;
    const int high = low + Section / 2;
    if (low < n)
        sums[low] += base;
    if (high < n)
        sums[high] += base;
}

extern "C" __global__ void __launch_bounds__(Threads) pageviewrank_fill(Pair *directory, int begin, int end)
{
    const int i = begin + blockIdx.x * Threads + threadIdx.x;
    if (i < end)
        directory[i] = {-1, 0, 0, 0};
}

// Whether `x` comes before `y`. No two pairs are equal but those without a key.
__device__ bool before(Pair x, Pair y, const char *keys, const char *values)
{
    if (x.key < 0 || y.key < 0)
        return x.key > y.key && y.key < 0;
    const int views_x = *(const int *)(keys + x.key);
    const int views_y = *(const int *)(keys + y.key);
    if (views_x != views_y)
        return views_x > views_y;
    const char *address_x = values + x.value;
    const char *address_y = values + y.value;
    int i = 0;
    while (address_x[i] == address_y[i])
        ++i;
    return address_x[i] < address_y[i];
}

__device__ void exchange(Pair &low, Pair &high, bool ascending, const char *keys, const char *values)
{
    const Pair x = low;
    const Pair y = high;
    if (ascending ? before(y, x, keys, values) : before(x, y, keys, values)) {
        low = y;
        high = x;
    }
}

// The strides of the bitonic network that stay within a unit.
__device__ void merge_unit(Pair *unit, int size, int stride, const char *keys, const char *values)
{
    const int tid = threadIdx.x;
    const bool ascending = ((blockIdx.x * Unit + tid) & size) == 0;
    for (; stride > 0; stride /= 2) {
        __syncthreads();
        const int other = tid ^ stride;
        if (other > tid)
            exchange(unit[tid], unit[other], ascending, keys, values);
    }
}

// Sorts each unit, every other one descending.
extern "C" __global__ void __launch_bounds__(Threads)
    pageviewrank_sort_units(Pair *directory, const char *keys, const char *values)
{
    __shared__ Pair unit[Unit];
    Pair &own = directory[blockIdx.x * Unit + threadIdx.x];
    unit[threadIdx.x] = own;
    for (int size = 2; size <= Unit; size *= 2)
        merge_unit(unit, size, size / 2, keys, values);
    __syncthreads();
    own = unit[threadIdx.x];
}

// One stride of a unit or more.
extern "C" __global__ void __launch_bounds__(Threads)
    pageviewrank_sort_step(Pair *directory, const char *keys, const char *values, int size, int stride)
{
    const int i = blockIdx.x * Threads + threadIdx.x;
    const int other = i ^ stride;
    if (other > i)
        exchange(directory[i], directory[other], (i & size) == 0, keys, values);
}

// All strides that stay within a unit.
extern "C" __global__ void __launch_bounds__(Threads)
    pageviewrank_sort_rest(Pair *directory, const char *keys, const char *values, int size)
{
    __shared__ Pair unit[Unit];
    Pair &own = directory[blockIdx.x * Unit + threadIdx.x];
    unit[threadIdx.x] = own;
    merge_unit(unit, size, Unit / 2, keys, values);
    __syncthreads();
    own = unit[threadIdx.x];
}

// Marks the first pair of each number of views.
extern "C" __global__ void __launch_bounds__(Threads)
    pageviewrank_mark(int *marks, const Pair *directory, const char *keys, int pairs)
{
    // That of the pair before the block's first, and those of the block.
    __shared__ int views[Threads + 1];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * Threads + tid;
    if (i < pairs)
        views[tid + 1] = *(const int *)(keys + directory[i].key);
    if (tid == 0)
        views[0] = i == 0 ? -1 : *(const int *)(keys + directory[i - 1].key);
    __syncthreads();
    if (i < pairs)
        marks[i] = views[tid] != views[tid + 1];
}

extern "C" __global__ void __launch_bounds__(Threads)
    pageviewrank_groups(int *groups, const int *marks, const int *places, int pairs)
{
    const int i = blockIdx.x * Threads + threadIdx.x;
    if (i < pairs && marks[i])
        groups[places[i]] = i;
}
