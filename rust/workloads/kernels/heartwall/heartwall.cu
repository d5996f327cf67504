// Tracking of the wall of a heart through the frames of an ultrasound film. A block follows one point:
// it convolves the point's template with the window around it, normalises by the mean and deviation of
// every place (box sums by running sums), takes only places near the last one and keeps the best. Every
// few frames the template learns from what was found. One launch a frame.
//
// Images are stored column by column. All arrays but the template lie in global memory, a part a point.

constexpr int Threads = 256;
// Largest template and largest sum of template and window, each along a side.
constexpr int MaxTemplate = 51;
constexpr int MaxPlaces = 131;

struct Common {
    int height;      // of a frame
    int frames;      // of the film
    int radius;      // of a template: 2 radius + 1 pixels a side
    int reach;       // of the search: a window of 2 reach + 1 pixels a side
    int near;        // side of the square of places around the last one
    int learn_every; // frames
    float keep;      // what a template keeps of itself when it learns
};
__constant__ Common common;

// Full sums of overlap: each place of `out` takes the products of `a` and `b` that fall on it.
__device__ void convolve(float *out, const float *a, int a_side, const float *b, int b_side)
{
    const int side = a_side + b_side - 1;
#pragma unroll 1
    for (int e = threadIdx.x; e < side * side; e += Threads) {
        const int row = e % side;
        const int column = e / side;
        const int first_column = max(column - b_side + 1, 0);
        const int last_column = min(column, a_side - 1);
        const int first_row = max(row - b_side + 1, 0);
        const int last_row = min(row, a_side - 1);
        float sum = 0.0f;
        for (int j = first_column; j <= last_column; ++j) {
            for (int i = first_row; i <= last_row; ++i)
                sum = fmaf(a[j * a_side + i], b[(column - j) * b_side + row - i], sum);
        }
        out[e] = sum;
    }
}

// Sums over all boxes of the size of the template in `padded`, which is changed: running sums along the columns,
// then along the rows, and their differences.
__device__ void box_sums(float *padded, float *strip, float *sums, int padded_side, int box, int side)
{
#pragma unroll 1
    for (int column = threadIdx.x; column < padded_side; column += Threads) {
        float sum = 0.0f;
        for (int row = 0; row < padded_side; ++row) {
            sum += padded[column * padded_side + row];
            padded[column * padded_side + row] = sum;
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int e = threadIdx.x; e < side * padded_side; e += Threads) {
        const int at = e / side * padded_side + e % side;
        strip[e] = padded[at + box] - padded[at];
    }
    __syncthreads();
#pragma unroll 1
    for (int row = threadIdx.x; row < side; row += Threads) {
        float sum = 0.0f;
        for (int column = 0; column < padded_side; ++column) {
            sum += strip[column * side + row];
            strip[column * side + row] = sum;
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int e = threadIdx.x; e < side * side; e += Threads)
        sums[e] = strip[e + box * side] - strip[e];
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(Threads)
    heartwall(int frame_number, const float *frame, const int *point_rows, const int *point_columns, float *templates,
              float *windows, float *places, float *paddeds, float *strips, float *sums, float *squares, float *masks,
              int *found_rows, int *found_columns)
{
    __shared__ float turned[MaxTemplate * MaxTemplate];
    __shared__ float partial[MaxTemplate];
    __shared__ float square_partial[MaxTemplate];
    __shared__ float best[MaxPlaces];
    __shared__ int best_at[MaxPlaces];
    __shared__ float total;
    __shared__ float square_total;
    __shared__ float template_norm;

    const int tid = threadIdx.x;
    const int point = blockIdx.x;
    const int height = common.height;
    const int box = 2 * common.radius + 1;
    const int box_size = box * box;
    const int window_side = 2 * common.reach + 1;
    const int side = window_side + box - 1;
    const int padded_side = window_side + 2 * box;
    const int row0 = point_rows[point];
    const int column0 = point_columns[point];
    const int found = point * common.frames + frame_number;
    float *own = templates + point * box_size;

    if (frame_number == 0) {
#pragma unroll 1
        for (int e = tid; e < box_size; e += Threads) {
            const int row = row0 - common.radius + e % box;
            const int column = column0 - common.radius + e / box;
            own[e] = frame[column * height + row];
        }
        if (tid == 0) {
            found_rows[found] = row0;
            found_columns[found] = column0;
        }
        return;
    }

    float *window = windows + point * window_side * window_side;
    float *place = places + point * side * side;
    float *padded = paddeds + point * padded_side * padded_side;
    float *strip = strips + point * side * padded_side;
    float *sum = sums + point * side * side;
    float *square = squares + point * side * side;
    float *mask = masks + point * side * side;

    // The window, and the template turned by half a circle.
#pragma unroll 1
    for (int e = tid; e < window_side * window_side; e += Threads) {
        const int row = row0 - common.reach + e % window_side;
        const int column = column0 - common.reach + e / window_side;
        window[e] = frame[column * height + row];
    }
#pragma unroll 1
    for (int e = tid; e < box_size; e += Threads)
        turned[e] = own[box_size - 1 - e];
    __syncthreads();
    convolve(place, turned, box, window, window_side);

    // Sums of the pixels and of their squares in each place.
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
#pragma unroll 1
        for (int e = tid; e < padded_side * padded_side; e += Threads) {
            const int row = e % padded_side - box;
            const int column = e / padded_side - box;
            float pixel = 0.0f;
            if (row >= 0 && row < window_side && column >= 0 && column < window_side)
                pixel = window[column * window_side + row];
            padded[e] = pass == 0 ? pixel : pixel * pixel;
        }
        __syncthreads();
        box_sums(padded, strip, pass == 0 ? sum : square, padded_side, box, side);
    }

    // Sum and deviation of the template.
    if (tid < box) {
        float column_sum = 0.0f;
        float column_square = 0.0f;
        for (int i = 0; i < box; ++i) {
            const float pixel = turned[tid * box + i];
            column_sum += pixel;
            column_square = fmaf(pixel, pixel, column_square);
        }
        partial[tid] = column_sum;
        square_partial[tid] = column_square;
    }
    __syncthreads();
    if (tid == 0) {
        float all = 0.0f;
        for (int i = 0; i < box; ++i)
            all += partial[i];
        total = all;
    }
    if (tid == 1) {
        float all = 0.0f;
        for (int i = 0; i < box; ++i)
            all += square_partial[i];
        square_total = all;
    }
    __syncthreads();
    if (tid == 0) {
        const float mean = total / (float)box_size;
        const float variance = square_total / (float)box_size - mean * mean;
        template_norm = sqrtf((float)(box_size - 1)) * sqrtf(variance);
    }
    __syncthreads();

    // Normalised correlation; a one in the mask where the point was last.
    const int center = common.reach + common.radius;
    const int last_row = found_rows[found - 1] - row0 + center;
    const int last_column = found_columns[found - 1] - column0 + center;
#pragma unroll 1
    for (int e = tid; e < side * side; e += Threads) {
        const float numerator = place[e] - sum[e] * total / (float)box_size;
        const float spread = fmaxf(square[e] - sum[e] * sum[e] / (float)box_size, 0.0f);
        place[e] = numerator / (sqrtf(spread) * template_norm);
        mask[e] = e % side == last_row && e / side == last_column ? 1.0f : 0.0f;
    }
    __syncthreads();

    // Only places whose square of `near` places holds the one are taken.
#pragma unroll 1
    for (int e = tid; e < side * side; e += Threads) {
        const int first_row = e % side - common.near / 2;
        const int first_column = e / side - common.near / 2;
        float taken = 0.0f;
        for (int column = max(first_column, 0); column < min(first_column + common.near, side); ++column) {
            for (int row = max(first_row, 0); row < min(first_row + common.near, side); ++row)
                taken += mask[column * side + row];
        }
        place[e] *= taken;
    }
    __syncthreads();

    // The best of each row, then of all.
#pragma unroll 1
    for (int row = tid; row < side; row += Threads) {
        float largest = 0.0f;
        int at = 0;
        for (int column = 0; column < side; ++column) {
            const float value = place[column * side + row];
            if (value > largest) {
                largest = value;
                at = column * side + row;
            }
        }
        best[row] = largest;
        best_at[row] = at;
    }
    __syncthreads();
    if (tid == 0) {
        float largest = 0.0f;
        int at = center * side + center;
        for (int row = 0; row < side; ++row) {
            if (best[row] > largest) {
                largest = best[row];
                at = best_at[row];
            }
        }
        found_rows[found] = row0 + at % side - center;
        found_columns[found] = column0 + at / side - center;
    }

    if (frame_number % common.learn_every == 0) {
        __syncthreads();
        const int row1 = found_rows[found] - common.radius;
        const int column1 = found_columns[found] - common.radius;
#pragma unroll 1
        for (int e = tid; e < box_size; e += Threads) {
            const float pixel = frame[(column1 + e / box) * height + row1 + e % box];
            own[e] = fmaf(common.keep, own[e], (1.0f - common.keep) * pixel);
        }
    }
}
