/*
 * store.c: see store.h.
 *
 * Pool after pool: the whole inputs that references need are laid out on the host, each answer is
 * computed by one job, uploaded and freed, the largest first. Local answers are computed chunk by
 * chunk.
 */
#include "store.h"

#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "compare.h"
#include "jobs.h"
#include "judge.h"

typedef struct job {
    unsigned answer, exponent;
    size_t chunk;
    bool local;
} job;

/* What the jobs of one pool share. failed is only ever set. */
typedef struct pool_work {
    store *s;
    unsigned pool;
    void *h_input[DATA_MOST]; /* null: no answer needs it whole */
    job *jobs;
    size_t count;
    base_error error;
    int failed;
} pool_work;

static size_t type_bytes(const lab_part *part, unsigned b)
{
    return judge_element_bytes(part->buffers[b].type);
}
static size_t output_bytes(const lab_part *part, unsigned b, size_t n)
{
    return judge_length(&part->buffers[b], n) * type_bytes(part, b);
}

static bool works(cudaError_t status, const char *what, base_error *error)
{
    return status == cudaSuccess || error_set(error, "%s: %s", what, cudaGetErrorString(status));
}

/* Of which n an answer keeps outputs: the period, the largest, or every one from least to most. */
static size_t kept_n(const bench_data *data, const data_answer *answer, unsigned exponent)
{
    return answer->shape == DATA_LOCAL ? data->period : (size_t)1 << exponent;
}

static unsigned first_exponent(const data_answer *answer, unsigned least, unsigned most)
{
    return answer->shape == DATA_EACH ? least : most;
}

size_t store_bytes(const bench_data *data, unsigned least, unsigned most)
{
    size_t bytes = 0;

    for (unsigned s = 0; s < data->sources; s++)
        bytes += judge_element_bytes(data->source[s].type) * (((size_t)1 << most) + data->period);
    for (unsigned a = 0; a < data->answers; a++) {
        const data_answer *answer = &data->answer[a];
        for (unsigned e = first_exponent(answer, least, most); e <= most; e++)
            for (unsigned b = 0; b < lab_buffer_count(answer->part); b++)
                if (answer->part->buffers[b].role == LAB_OUT)
                    bytes += output_bytes(answer->part, b, kept_n(data, answer, e));
    }
    return DATA_POOLS * bytes;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* One period is uploaded; the rest of the input is made on the device by copying what is there
   already, whole periods but for the last copy. */
static bool upload_input(store *s, unsigned source, unsigned pool, base_error *error)
{
    const bench_data *data = s->data;
    const size_t size = judge_element_bytes(data->source[source].type), bytes = size << s->most,
                 period = size * data->period;
    char *d_input;

    if (!works(cudaMalloc(&s->d_period[source][pool], period), "no device memory for an input",
               error) ||
        !works(cudaMalloc(&s->d_input[source][pool], bytes), "no device memory for an input",
               error) ||
        !works(cudaMemcpy(s->d_period[source][pool], data->source[source].period[pool], period,
                          cudaMemcpyHostToDevice),
               "uploading an input", error))
        return false;
    d_input = s->d_input[source][pool];
    for (size_t done = 0, more; done < bytes; done += more) {
        const void *from = done == 0 ? s->d_period[source][pool] : d_input;
        more = done == 0 ? period : done;
        if (more > bytes - done)
            more = bytes - done;
        if (!works(cudaMemcpy(d_input + done, from, more, cudaMemcpyDeviceToDevice),
                   "laying out an input", error))
            return false;
    }
    return true;
}

bool store_is_unchanged(const store *s, unsigned exponent, base_error *error)
{
    compare_result *d_result = NULL, result = { 0, 0 };
    bool ok = works(cudaMalloc((void **)&d_result, sizeof *d_result), "no device memory", error) &&
              works((cudaError_t)compare_clear(d_result), "clearing", error);

    for (unsigned k = 0; ok && k < s->data->sources * DATA_POOLS; k++) {
        const unsigned source = k / DATA_POOLS, pool = k % DATA_POOLS;
        const compare_kind kind = judge_element_bytes(s->data->source[source].type) == 8
                                      ? COMPARE_WORDS_8
                                      : COMPARE_WORDS_4;
        ok = works((cudaError_t)compare_on_device(kind, s->d_period[source][pool], s->data->period,
                                                  s->d_input[source][pool], (size_t)1 << exponent,
                                                  d_result),
                   "comparing the inputs", error);
    }
    ok = ok && works(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost),
                     "comparing the inputs", error);
    cudaFree(d_result);
    if (ok && result.wrong > 0)
        return error_set(error,
                         "%llu elements of the inputs have been written to, the first at %llu",
                         result.wrong, result.first);
    return ok;
}

/* ---- answers --------------------------------------------------------------------------------- */

static bool allocate_answer(store *s, unsigned a, unsigned pool, base_error *error)
{
    const data_answer *answer = &s->data->answer[a];

    for (unsigned e = first_exponent(answer, s->least, s->most); e <= s->most; e++)
        for (unsigned b = 0; b < lab_buffer_count(answer->part); b++)
            if (answer->part->buffers[b].role == LAB_OUT &&
                !works(cudaMalloc(&s->d_answer[a][pool][b][answer->shape == DATA_EACH ? e : 0],
                                  output_bytes(answer->part, b, kept_n(s->data, answer, e)) + 1),
                       "no device memory for an answer", error))
                return false;
    return true;
}

/* Computes one answer, or one chunk of a local one, and uploads it. */
static bool run_job(pool_work *work, const job *j, base_error *error)
{
    store *s = work->s;
    const data_answer *answer = &s->data->answer[j->answer];
    const lab_part *part = answer->part;
    const size_t n = j->local ? DATA_CHUNK : (size_t)1 << j->exponent,
                 first = j->chunk * DATA_CHUNK;
    const void *inputs[LAB_MAX_BUFFERS] = { NULL };
    void *outputs[LAB_MAX_BUFFERS];
    bool ok = true;

    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_IN)
            inputs[b] = j->local ? s->data->source[answer->source[b]].period[work->pool] +
                                       first * type_bytes(part, b)
                                 : work->h_input[answer->source[b]];
    if (!data_reference(part, inputs, n, outputs, error))
        return false;
    for (unsigned b = 0; ok && b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_OUT) {
            char *d_to =
                s->d_answer[j->answer][work->pool][b][answer->shape == DATA_EACH ? j->exponent : 0];
            /* even the total of no elements is one element */
            const size_t skip = j->local ? output_bytes(part, b, first) : 0;
            ok = works(cudaMemcpy(d_to + skip, outputs[b], output_bytes(part, b, n),
                                  cudaMemcpyHostToDevice),
                       "uploading an answer", error);
        }
    data_drop_outputs(outputs);
    return ok;
}

static void answer_job(void *context, size_t index)
{
    pool_work *work = context;
    base_error error;

    if (__atomic_load_n(&work->failed, __ATOMIC_RELAXED) ||
        run_job(work, &work->jobs[index], &error))
        return;
    if (__atomic_exchange_n(&work->failed, 1, __ATOMIC_ACQ_REL) == 0)
        work->error = error; /* the first one's; read after all have been joined */
}

static int larger_first(const void *a, const void *b)
{
    const job *x = a, *y = b;
    const size_t m = x->local ? DATA_CHUNK : (size_t)1 << x->exponent,
                 n = y->local ? DATA_CHUNK : (size_t)1 << y->exponent;

    return m < n ? 1 : m > n ? -1 : 0;
}

static bool list_jobs(pool_work *work, base_error *error)
{
    const store *s = work->s;
    const size_t most =
        s->data->answers *
        ((size_t)STORE_SIZES > DATA_PERIOD_CHUNKS ? STORE_SIZES : DATA_PERIOD_CHUNKS);

    work->jobs = calloc(most + 1, sizeof *work->jobs);
    if (!work->jobs)
        return error_set(error, "no memory for a list of jobs");
    for (unsigned a = 0; a < s->data->answers; a++) {
        const data_answer *answer = &s->data->answer[a];
        if (answer->shape == DATA_LOCAL)
            for (size_t chunk = 0; chunk < s->data->period / DATA_CHUNK; chunk++)
                work->jobs[work->count++] = (job){ .answer = a, .chunk = chunk, .local = true };
        else
            for (unsigned e = first_exponent(answer, s->least, s->most); e <= s->most; e++)
                work->jobs[work->count++] = (job){ .answer = a, .exponent = e };
    }
    qsort(work->jobs, work->count, sizeof *work->jobs, larger_first);
    return true;
}

static void input_job(void *context, size_t source)
{
    pool_work *work = context;

    if (work->h_input[source])
        data_input(work->s->data, (unsigned)source, work->pool, work->h_input[source],
                   (size_t)1 << work->s->most);
}

/* The inputs that some answer needs whole. */
static bool lay_out_inputs(pool_work *work, unsigned threads, base_error *error)
{
    const bench_data *data = work->s->data;

    for (unsigned a = 0; a < data->answers; a++)
        for (unsigned b = 0; b < lab_buffer_count(data->answer[a].part); b++) {
            const unsigned source = data->answer[a].source[b];
            if (data->answer[a].shape == DATA_LOCAL ||
                data->answer[a].part->buffers[b].role != LAB_IN || work->h_input[source])
                continue;
            work->h_input[source] =
                malloc(judge_element_bytes(data->source[source].type) << work->s->most);
            if (!work->h_input[source])
                return error_set(error, "no memory on the host for an input of 2^%u elements",
                                 work->s->most);
        }
    jobs_run(input_job, work, data->sources, threads);
    return true;
}

static bool make_pool(store *s, unsigned pool, unsigned threads, base_error *error)
{
    pool_work work = { .s = s, .pool = pool };
    bool ok = true;

    for (unsigned source = 0; ok && source < s->data->sources; source++)
        ok = upload_input(s, source, pool, error);
    for (unsigned a = 0; ok && a < s->data->answers; a++)
        ok = allocate_answer(s, a, pool, error);
    ok = ok && lay_out_inputs(&work, threads, error) && list_jobs(&work, error);
    if (ok)
        jobs_run(answer_job, &work, work.count, threads);
    if (work.failed) {
        ok = false;
        error_set(error, "%s", work.error.text);
    }
    for (unsigned source = 0; source < s->data->sources; source++)
        free(work.h_input[source]);
    free(work.jobs);
    return ok;
}

bool store_make(store *s, const bench_data *data, unsigned least, unsigned most, unsigned threads,
                base_error *error)
{
    memset(s, 0, sizeof *s);
    s->data = data;
    s->least = least;
    s->most = most;
    for (unsigned pool = 0; pool < DATA_POOLS; pool++)
        if (!make_pool(s, pool, threads, error))
            return false;
    return works(cudaDeviceSynchronize(), "uploading", error);
}

void store_drop(store *s)
{
    for (unsigned k = 0; k < DATA_MOST; k++)
        for (unsigned pool = 0; pool < DATA_POOLS; pool++) {
            cudaFree(s->d_input[k][pool]);
            cudaFree(s->d_period[k][pool]);
            for (unsigned b = 0; b < LAB_MAX_BUFFERS; b++)
                for (unsigned e = 0; e < STORE_SIZES; e++)
                    cudaFree(s->d_answer[k][pool][b][e]);
        }
    memset(s, 0, sizeof *s);
}

const void *store_answer(const store *s, unsigned answer, unsigned pool, unsigned b,
                         unsigned exponent, size_t *period)
{
    const data_answer *a = &s->data->answer[answer];

    *period = judge_length(&a->part->buffers[b],
                           kept_n(s->data, a, a->shape == DATA_PREFIX ? s->most : exponent));
    return s->d_answer[answer][pool][b][a->shape == DATA_EACH ? exponent : 0];
}
