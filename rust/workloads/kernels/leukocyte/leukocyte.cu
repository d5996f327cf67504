// Finding and tracking of white blood cells in microscope images. First the gradient inverse
// coefficient of variation along circles around every pixel, whose maxima are cells; then its dilation
// by a disc; then the motion gradient vector flow around every cell. Images are stored column by column.

constexpr int MostCircles = 7;
constexpr int MostPoints = 150;
constexpr int MostElements = 625;
constexpr int MostRows = 41;
constexpr int MostColumns = 81;
constexpr int Threads = 320;
// The largest power of two below the number of threads.
constexpr int Power = 256;

// Directions of the points of a circle, and their offsets for each circle, filled in by the host.
__constant__ struct {
    float sines[MostPoints];
    float cosines[MostPoints];
    int x[MostCircles * MostPoints];
    int y[MostCircles * MostPoints];
} circumference;
// Which pixels belong to the disc.
__constant__ float disc[MostElements];

// A block computes a column, a thread a pixel: the largest ratio of squared mean to variance of the
// outward gradient over all circles. The rim of the image is left as it is.
extern "C" __global__ void leukocyte_gicov(int rows, int rim, int circles, int points,
                                           const float *__restrict__ gradient_x,
                                           const float *__restrict__ gradient_y, float *gicov)
{
    const int column = blockIdx.x + rim;
    const int row = threadIdx.x + rim;

    float best = 0.0f;
    for (int circle = 0; circle < circles; ++circle) {
        float sum = 0.0f;
        float squares = 0.0f;
        float running = 0.0f;
#pragma unroll 1
        for (int point = 0; point < points; ++point) {
            const int y = row + circumference.y[circle * MostPoints + point];
            const int x = column + circumference.x[circle * MostPoints + point];
            const int at = x * rows + y;
            const float outward = gradient_x[at] * circumference.cosines[point]
                + gradient_y[at] * circumference.sines[point];
            sum += outward;
            const float delta = outward - running;
            running += delta / (float)(point + 1);
            squares += delta * (outward - running);
        }
        const float mean = sum / (float)points;
        const float variance = squares / (float)(points - 1);
        const float ratio = mean * mean / variance;
        if (ratio > best)
            best = ratio;
    }
    gicov[column * rows + row] = best;
}

// The largest value below the disc around each pixel; the result is stored row by row.
extern "C" __global__ void leukocyte_dilate(int rows, int columns, int disc_rows, int disc_columns,
                                            const float *__restrict__ image, float *dilated)
{
    const int middle_row = disc_rows / 2;
    const int middle_column = disc_columns / 2;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = thread % rows;
    const int column = thread / rows;
    if (column >= columns)
        return;

    float largest = 0.0f;
    for (int i = 0; i < disc_rows; ++i) {
        const int y = row - middle_row + i;
        if (y >= 0 && y < rows) {
            for (int j = 0; j < disc_columns; ++j) {
                const int x = column - middle_column + j;
                if (x >= 0 && x < columns && disc[i * disc_columns + j] != 0.0f) {
                    const float value = image[x * rows + y];
                    if (value > largest)
                        largest = value;
                }
            }
        }
    }
    dilated[row * columns + column] = largest;
}

// A step function with a narrow middle.
__device__ __forceinline__ float heaviside(float x)
{
    float step = 0.0f;
    if (x > -0.0001f)
        step = 0.5f;
    if (x > 0.0001f)
        step = 1.0f;
    return step;
}

// A block iterates the flow field of one cell in shared memory until it moves by less than `cutoff` on
// average. Its threads go through the field in portions. A new value is written one portion late, when
// no other thread needs the old one any more; a portion is longer than a row.
extern "C" __global__ void __launch_bounds__(Threads)
    leukocyte_flow(float *fields, const float *images, const int *first, const int *rows_of,
                   const int *columns_of, float vx, float vy, float e, int most_iterations, float cutoff)
{
    __shared__ float field[MostRows * MostColumns];
    __shared__ float buffer[Threads];
    __shared__ int converged;

    const int thread = threadIdx.x;
    float *global_field = fields + first[blockIdx.x];
    const float *image = images + first[blockIdx.x];
    const int rows = rows_of[blockIdx.x];
    const int columns = columns_of[blockIdx.x];
    const int portions = (rows * columns + Threads - 1) / Threads;

    for (int portion = 0; portion < portions; ++portion) {
        const int at = portion * Threads + thread;
        if (at < rows * columns)
            field[at] = global_field[at];
    }
    if (thread == 0)
        converged = 0;
    __syncthreads();

    // Constants are doubles, as in the suite, and so is what they are multiplied with.
    const double mu = 0.5;
    const double lambda = 8.0 * mu + 1.0;
    const float one_over_e = 1.0f / e;
    const int step_rows = Threads / columns;
    const int step_columns = Threads % columns;

    int iterations = 0;
    while (!converged && iterations < most_iterations) {
        float moved = 0.0f;
        int i = thread / columns;
        int j = thread % columns;
        int old_at = 0;
        for (int portion = 0; portion < portions; ++portion) {
            const int at = i * columns + j;
            float old_value = 0.0f;
            float new_value = 0.0f;
            if (i < rows) {
                const int up = (i == 0 ? 0 : i - 1) * columns;
                const int down = (i == rows - 1 ? rows - 1 : i + 1) * columns;
                const int left = j == 0 ? 0 : j - 1;
                const int right = j == columns - 1 ? columns - 1 : j + 1;

                old_value = field[at];
                const float ul = field[up + left] - old_value;
                const float u = field[up + j] - old_value;
                const float ur = field[up + right] - old_value;
                const float l = field[i * columns + left] - old_value;
                const float r = field[i * columns + right] - old_value;
                const float dl = field[down + left] - old_value;
                const float d = field[down + j] - old_value;
                const float dr = field[down + right] - old_value;

                // Each difference counts where it points along the direction of motion.
                const float sum = ul * heaviside(ul * (-vx - vy) * one_over_e)
                    + u * heaviside(u * -vy * one_over_e) + ur * heaviside(ur * (vx - vy) * one_over_e)
                    + l * heaviside(l * -vx * one_over_e) + r * heaviside(r * vx * one_over_e)
                    + dl * heaviside(dl * (vy - vx) * one_over_e) + d * heaviside(d * vy * one_over_e)
                    + dr * heaviside(dr * (vx + vy) * one_over_e);
                const float diffused = old_value + mu / lambda * sum;
                const float pixel = image[at];
                new_value = diffused - 1.0 / lambda * pixel * (diffused - pixel);
            }
            __syncthreads();

            if (portion > 0)
                field[old_at] = buffer[thread];
            if (portion < portions - 1)
                buffer[thread] = new_value;
            else if (i < rows)
                field[at] = new_value;
            moved += fabsf(new_value - old_value);
            __syncthreads();

            old_at = at;
            i += step_rows;
            j += step_columns;
            if (j >= columns) {
                j -= columns;
                ++i;
            }
        }

        buffer[thread] = moved;
        __syncthreads();
        if (thread >= Power)
            buffer[thread - Power] += buffer[thread];
        __syncthreads();
        for (int half = Power / 2; half > 0; half /= 2) {
            if (thread < half)
                buffer[thread] += buffer[thread + half];
            __syncthreads();
        }
        if (thread == 0) {
            const float mean = buffer[0] / (float)(rows * columns);
            if (mean < cutoff)
                converged = 1;
        }
        __syncthreads();
        ++iterations;
    }

    for (int portion = 0; portion < portions; ++portion) {
        const int at = portion * Threads + thread;
        if (at < rows * columns)
            global_field[at] = field[at];
    }
}
