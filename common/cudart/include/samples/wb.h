/*
 * wb.h: the teaching kit's library (libwb) as its exercises use it, written anew: arguments, data
 * in files, time, log, pictures, and the comparison with what is expected.
 *
 *   ./a.out -e expected.raw -i input0.raw,input1.raw -o output.raw -t vector
 *
 * A .raw file is text: the number of elements, or of rows and columns, and then the values. A .ppm
 * file is a picture (P5, P6). Where a file is absent, or no -i was given, the data is made: numbers
 * from a seed (WB_SEED, 1 by default), the same each time, for each input others. A vector has
 * WB_SIZE elements (1000 by default), a matrix WB_ROWS times WB_COLUMNS (48 times 48: any two can
 * be multiplied), a picture the same with three channels. Nothing is expected then: wbSolution says
 * so, and gives a sum, which two versions of a program can be compared by.
 */
#ifndef SCANLAB_WB_H
#define SCANLAB_WB_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define wbTrue  true
#define wbFalse false
typedef bool wbBool;
typedef float wbReal_t;

#define wbDirectorySeperator "/"
#define wbMalloc(bytes)      malloc(bytes)
#define wbNew(type)          ((type *)malloc(sizeof(type)))
#define wbNewArray(type, n)  ((type *)malloc((size_t)(n) * sizeof(type)))
#define wbFree(pointer)      free(pointer)
#define wbMin(a, b)          ((a) < (b) ? (a) : (b))
#define wbMax(a, b)          ((a) > (b) ? (a) : (b))

namespace scanlab_wb
{

/* ---- the program's words --------------------------------------------------------------------- */

struct arguments {
    std::vector<std::string> inputs;
    std::string expected, output, type;
};

inline unsigned number_of(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    return text && *text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

/* the same for one name each time */
struct numbers {
    unsigned state;
    explicit numbers(const char *name) : state(number_of("WB_SEED", 1) * 2654435761u + 1)
    {
        for (; *name; name++)
            state = (state ^ (unsigned char)*name) * 16777619u;
    }
    unsigned next()
    {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }
};

/* eighths, of which sums and products of small counts are exact */
inline void make(float *to, size_t count, const char *name)
{
    numbers from(name);
    for (size_t k = 0; k < count; k++)
        to[k] = (float)(from.next() % 128) / 8.0f;
}
inline void make(int *to, size_t count, const char *name)
{
    numbers from(name);
    for (size_t k = 0; k < count; k++)
        to[k] = (int)(from.next() % 128);
}
inline void make(unsigned char *to, size_t count, const char *name)
{
    numbers from(name);
    for (size_t k = 0; k < count; k++)
        to[k] = (unsigned char)from.next();
}

/* Elements of a file, malloc's; rows and columns as they stand there, or as they are made. */
template <class T> T *read(const char *file, unsigned dimensions, int *rows, int *columns)
{
    std::ifstream from(file);
    *rows = 1;
    if (from) {
        if (!(dimensions == 2 ? from >> *rows >> *columns : from >> *columns) || *rows < 0 ||
            *columns < 0) {
            fprintf(stderr, "wb.h: %s does not begin with the number of its %s\n", file,
                    dimensions == 2 ? "rows and columns" : "elements");
            exit(EXIT_FAILURE);
        }
    } else if (dimensions == 2) {
        *rows = (int)number_of("WB_ROWS", 48);
        *columns = (int)number_of("WB_COLUMNS", 48);
    } else
        *columns = (int)number_of("WB_SIZE", 1000);
    const size_t count = (size_t)*rows * (size_t)*columns;
    T *to = (T *)malloc(count * sizeof(T) + 1);
    if (!from)
        make(to, count, file);
    for (size_t k = 0; from.is_open() && k < count; k++) {
        double value;
        if (!(from >> value)) {
            fprintf(stderr, "wb.h: %s has %zu values, not the %zu that it begins with\n", file, k,
                    count);
            exit(EXIT_FAILURE);
        }
        to[k] = (T)value;
    }
    return to;
}

/* ---- time ------------------------------------------------------------------------------------ */

typedef std::chrono::steady_clock clock;
inline std::map<std::string, clock::time_point> &begun()
{
    static std::map<std::string, clock::time_point> all;
    return all;
}
template <class... Words> std::string join(const Words &...words)
{
    std::ostringstream all;
    const int each[] = { 0, ((void)(all << words), 0)... };
    (void)each;
    return all.str();
}
inline void start(const char *kind, const std::string &message)
{
    begun()[kind + message] = clock::now();
}
inline void stop(const char *kind, const std::string &message, const char *file, int line)
{
    const auto found = begun().find(kind + message);
    if (found == begun().end()) {
        fprintf(stderr, "wb.h: %s:%d: wbTime_stop of \"%s\", which no wbTime_start began\n", file,
                line, message.c_str());
        return;
    }
    const double elapsed = std::chrono::duration<double>(clock::now() - found->second).count();
    printf("[%s] %.6f s %s\n", kind, elapsed, message.c_str());
    begun().erase(found);
}
inline void log(const char *level, const std::string &message, const char *function, int line)
{
    printf("[%s] @%s:%d %s\n", level, function, line, message.c_str());
}

}    // namespace scanlab_wb

#define wbTime_start(kind, ...) scanlab_wb::start(#kind, scanlab_wb::join(__VA_ARGS__))
#define wbTime_stop(kind, ...)                                                                     \
    scanlab_wb::stop(#kind, scanlab_wb::join(__VA_ARGS__), __FILE__, __LINE__)
#define wbLog(level, ...) scanlab_wb::log(#level, scanlab_wb::join(__VA_ARGS__), __func__, __LINE__)

/* ---- arguments ------------------------------------------------------------------------------- */

typedef scanlab_wb::arguments wbArg_t;

inline wbArg_t wbArg_read(int argc, char **argv)
{
    wbArg_t a;
    for (int k = 1; k + 1 < argc; k++) {
        const std::string name = argv[k];
        std::string *const value = name == "-e" || name == "--expected" ? &a.expected
                                   : name == "-o" || name == "--output" ? &a.output
                                   : name == "-t" || name == "--type"   ? &a.type
                                                                        : NULL;
        if (value)
            *value = argv[++k];
        else if (name == "-i" || name == "--input") {
            std::istringstream list(argv[++k]);
            for (std::string one; std::getline(list, one, ',');)
                if (one != "none")
                    a.inputs.push_back(one);
        }
    }
    return a;
}
inline int wbArg_getInputCount(const wbArg_t &a) { return (int)a.inputs.size(); }
/* made up where no -i named it */
inline char *wbArg_getInputFile(const wbArg_t &a, int which)
{
    static std::map<int, std::string> names;
    std::string &name = names[which];
    name = which < (int)a.inputs.size() ? a.inputs[(size_t)which] : "input" + std::to_string(which);
    return &name[0];
}

/* ---- pictures -------------------------------------------------------------------------------- */

typedef struct scanlab_wb_image {
    int width, height, channels;
    float *data; /* 0 to 1, a point's channels side by side */
} * wbImage_t;

inline wbImage_t wbImage_new(int width, int height, int channels = 3)
{
    wbImage_t made = (wbImage_t)malloc(sizeof *made);
    made->width = width;
    made->height = height;
    made->channels = channels;
    made->data =
        (float *)calloc((size_t)width * (size_t)height * (size_t)channels + 1, sizeof(float));
    return made;
}
inline wbImage_t wbImage_new(int width, int height, int channels, float *data)
{
    wbImage_t made = wbImage_new(width, height, channels);
    free(made->data);
    made->data = data;
    return made;
}
inline void wbImage_delete(wbImage_t image)
{
    if (image)
        free(image->data);
    free(image);
}
inline int wbImage_getWidth(wbImage_t image) { return image->width; }
inline int wbImage_getHeight(wbImage_t image) { return image->height; }
inline int wbImage_getChannels(wbImage_t image) { return image->channels; }
inline int wbImage_getPitch(wbImage_t image) { return image->width * image->channels; }
inline float *wbImage_getData(wbImage_t image) { return image->data; }
inline void wbImage_setData(wbImage_t image, float *data) { image->data = data; }
inline float wbImage_getPixel(wbImage_t image, int x, int y, int c)
{
    return image->data[(y * image->width + x) * image->channels + c];
}
inline void wbImage_setPixel(wbImage_t image, int x, int y, int c, float value)
{
    image->data[(y * image->width + x) * image->channels + c] = value;
}

/* ---- files ----------------------------------------------------------------------------------- */

inline wbImage_t wbImport(const char *file)
{
    std::ifstream from(file, std::ios::binary);
    std::string kind, word;
    int size[3] = { (int)scanlab_wb::number_of("WB_COLUMNS", 48),
                    (int)scanlab_wb::number_of("WB_ROWS", 48), 255 };
    if (from && !(from >> kind && (kind == "P5" || kind == "P6"))) {
        fprintf(stderr, "wb.h: %s is no P5 or P6 picture\n", file);
        exit(EXIT_FAILURE);
    }
    for (int k = 0; from.is_open() && k < 3 && from >> word;)
        if (word[0] == '#')
            std::getline(from, word);
        else
            size[k++] = atoi(word.c_str());
    from.get();
    wbImage_t image = wbImage_new(size[0], size[1], kind == "P5" ? 1 : 3);
    std::vector<unsigned char> bytes((size_t)size[0] * (size_t)size[1] * (size_t)image->channels);
    if (!from.is_open())
        scanlab_wb::make(bytes.data(), bytes.size(), file);
    else if (!from.read((char *)bytes.data(), (std::streamsize)bytes.size())) {
        fprintf(stderr, "wb.h: %s ends too early\n", file);
        exit(EXIT_FAILURE);
    }
    for (size_t k = 0; k < bytes.size(); k++)
        image->data[k] = (float)bytes[k] / 255.0f;
    return image;
}
/* The type is float * unless "Integer" is asked for. */
inline void *wbImport(const char *file, int *count, const char *type = "Real")
{
    int rows;
    if (strcmp(type, "Integer") == 0 || strcmp(type, "integer") == 0)
        return scanlab_wb::read<int>(file, 1, &rows, count);
    return scanlab_wb::read<float>(file, 1, &rows, count);
}
inline void *wbImport(const char *file, int *rows, int *columns, const char *type = "Real")
{
    if (strcmp(type, "Integer") == 0 || strcmp(type, "integer") == 0)
        return scanlab_wb::read<int>(file, 2, rows, columns);
    return scanlab_wb::read<float>(file, 2, rows, columns);
}

template <class T> void wbExport(const char *file, const T *data, int rows, int columns)
{
    std::ofstream to(file);
    if (rows != 1)
        to << rows << " ";
    to << columns << "\n";
    for (long k = 0; k < (long)rows * columns; k++)
        to << +data[k] << "\n";
}
template <class T> void wbExport(const char *file, const T *data, int count)
{
    wbExport(file, data, 1, count);
}
inline void wbExport(const char *file, wbImage_t image)
{
    std::ofstream to(file, std::ios::binary);
    to << (image->channels == 1 ? "P5" : "P6") << "\n"
       << image->width << " " << image->height << "\n255\n";
    for (long k = 0; k < (long)image->width * image->height * image->channels; k++)
        to.put((char)(unsigned char)(std::min(std::max(image->data[k], 0.0f), 1.0f) * 255.0f));
}

/* ---- the solution ---------------------------------------------------------------------------- */

inline bool wbSolution_say(bool correct, const std::string &message)
{
    printf("{\"correctq\": %s, \"message\": \"%s\"}\n", correct ? "true" : "false",
           message.c_str());
    return correct;
}

template <class T>
bool wbSolution_compare(const T *expected, const T *data, int rows, int columns, double allowed)
{
    for (long k = 0; k < (long)rows * columns; k++) {
        const double want = (double)expected[k], got = (double)data[k];
        if (!(fabs(want - got) <= allowed + 1e-3 * fabs(want))) {
            std::ostringstream at;
            at << "The solution did not match the expected results at "
               << (rows == 1 ? "" : "row " + std::to_string(k / columns) + ", ")
               << (rows == 1 ? "element " : "column ") << k % columns << ". Expecting " << want
               << " but got " << got << ".";
            return wbSolution_say(false, at.str());
        }
    }
    return wbSolution_say(true, "The solution is correct");
}

template <class T> bool wbSolution_unknown(const T *data, long count)
{
    double sum = 0;
    for (long k = 0; k < count; k++)
        sum += (double)data[k];
    std::ostringstream said;
    said << "No expected results were given (-e), so nothing was compared; " << count
         << " elements, their sum " << sum;
    printf("{\"correctq\": null, \"message\": \"%s\"}\n", said.str().c_str());
    return true;
}

template <class T> bool wbSolution(const wbArg_t &a, const T *data, int rows, int columns)
{
    if (!a.output.empty())
        wbExport(a.output.c_str(), data, rows, columns);
    if (a.expected.empty() || !std::ifstream(a.expected))
        return wbSolution_unknown(data, (long)rows * columns);
    int want_rows, want_columns;
    T *expected =
        scanlab_wb::read<T>(a.expected.c_str(), rows == 1 ? 1 : 2, &want_rows, &want_columns);
    const bool correct =
        want_rows == rows && want_columns == columns
            ? wbSolution_compare(expected, data, rows, columns, 1e-3)
            : wbSolution_say(false, "The number of rows or columns is not the expected one");
    free(expected);
    return correct;
}
template <class T> bool wbSolution(const wbArg_t &a, const T *data, int count)
{
    return wbSolution(a, data, 1, count);
}
inline bool wbSolution(const wbArg_t &a, wbImage_t image)
{
    const int rows = image->height, columns = image->width * image->channels;
    if (!a.output.empty())
        wbExport(a.output.c_str(), image);
    if (a.expected.empty() || !std::ifstream(a.expected))
        return wbSolution_unknown(image->data, (long)rows * columns);
    wbImage_t expected = wbImport(a.expected.c_str());
    const bool correct =
        expected->width == image->width && expected->height == image->height &&
                expected->channels == image->channels
            ? wbSolution_compare(expected->data, image->data, rows, columns, 1.5 / 255)
            : wbSolution_say(false, "The image has another size than the expected one");
    wbImage_delete(expected);
    return correct;
}
template <class T> bool wbSolution(const wbArg_t &a, T *data, int rows, int columns, int)
{
    return wbSolution(a, (const T *)data, rows, columns);
}
/* the older form, of which the arguments come first, and a void * of floats */
inline bool wbSolution(const wbArg_t &a, void *data, int count)
{
    return wbSolution(a, (const float *)data, 1, count);
}
inline bool wbSolution(const wbArg_t &a, void *data, int rows, int columns)
{
    return wbSolution(a, (const float *)data, rows, columns);
}

#endif
