/*
 * helper_image.h: grey (P5) and colour (P6) pictures and comparisons as NVIDIA's samples have them,
 * written anew. Memory that a load gives is malloc's, the program's to free.
 */
#ifndef COMMON_HELPER_IMAGE_H_
#define COMMON_HELPER_IMAGE_H_

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <fstream>
#include <iostream>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/* Bytes of a P5 or P6 file; channels: 1 or 3. */
inline bool __loadPPM(const char *file, unsigned char **data, unsigned *w, unsigned *h,
                      unsigned *channels)
{
    unsigned most = 0, kind = 0, got = 0;
    FILE *from = file ? fopen(file, "rb") : NULL;
    if (!from) {
        std::cerr << "__LoadPPM() : Failed to open file: " << (file ? file : "(null)") << std::endl;
        return false;
    }
    unsigned *const numbers[] = { w, h, &most };
    bool fine = fscanf(from, "P%u", &kind) == 1 && (kind == 5 || kind == 6);
    while (fine && got < 3) {
        int c = fgetc(from);
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = fgetc(from);
        else if (c >= '0' && c <= '9') {
            ungetc(c, from);
            fine = fscanf(from, "%u", numbers[got++]) == 1;
        } else
            fine = c != EOF;
    }
    fgetc(from);
    *channels = kind == 5 ? 1 : 3;
    const size_t bytes = fine ? (size_t)*w * *h * *channels : 0;
    *data = (unsigned char *)malloc(bytes + 1);
    fine = fine && fread(*data, 1, bytes, from) == bytes;
    fclose(from);
    if (!fine)
        std::cerr << "__LoadPPM() : File is not a PPM or PGM image: " << file << std::endl;
    return fine;
}

inline bool __savePPM(const char *file, const unsigned char *data, unsigned w, unsigned h,
                      unsigned channels)
{
    std::ofstream to(file, std::ios::binary);
    to << (channels == 1 ? "P5" : "P6") << "\n" << w << " " << h << "\n255\n";
    to.write((const char *)data, (std::streamsize)((size_t)w * h * channels));
    return to.good();
}

inline unsigned char scanlab_as_byte(unsigned char x) { return x; }
inline unsigned char scanlab_as_byte(float x) { return (unsigned char)(x * 255.0f); }

template <class T> inline bool sdkLoadPGM(const char *file, T **data, unsigned *w, unsigned *h)
{
    unsigned char *bytes = NULL;
    unsigned channels;
    if (!__loadPPM(file, &bytes, w, h, &channels) || channels != 1)
        return false;
    if (!*data)
        *data = (T *)malloc((size_t)*w * *h * sizeof(T));
    for (size_t k = 0; k < (size_t)*w * *h; k++)
        (*data)[k] = sizeof(T) == 1 ? (T)bytes[k] : (T)(bytes[k] / 255.0f);
    free(bytes);
    return true;
}
template <class T> inline bool sdkSavePGM(const char *file, T *data, unsigned w, unsigned h)
{
    unsigned char *bytes = (unsigned char *)malloc((size_t)w * h + 1);
    for (size_t k = 0; k < (size_t)w * h; k++)
        bytes[k] = scanlab_as_byte(data[k]);
    const bool fine = __savePPM(file, bytes, w, h, 1);
    free(bytes);
    return fine;
}
/* four bytes a point, of which a file has three */
inline bool sdkLoadPPM4ub(const char *file, unsigned char **data, unsigned *w, unsigned *h)
{
    unsigned char *bytes = NULL;
    unsigned channels;
    if (!__loadPPM(file, &bytes, w, h, &channels))
        return false;
    *data = (unsigned char *)malloc((size_t)*w * *h * 4 + 1);
    for (size_t k = 0; k < (size_t)*w * *h; k++) {
        for (unsigned c = 0; c < 3; c++)
            (*data)[4 * k + c] = bytes[channels == 1 ? k : 3 * k + c];
        (*data)[4 * k + 3] = 0;
    }
    free(bytes);
    return true;
}
inline bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned w, unsigned h)
{
    unsigned char *bytes = (unsigned char *)malloc((size_t)w * h * 3 + 1);
    for (size_t k = 0; k < (size_t)w * h; k++)
        for (unsigned c = 0; c < 3; c++)
            bytes[3 * k + c] = data[4 * k + c];
    const bool fine = __savePPM(file, bytes, w, h, 3);
    free(bytes);
    return fine;
}

/* True if at most threshold (a part of all) differ by more than epsilon. */
template <class T, class S>
inline bool compareData(const T *reference, const T *data, const unsigned length, const S epsilon,
                        const float threshold)
{
    unsigned differ = 0;
    for (unsigned k = 0; k < length; k++)
        differ += !(fabs((double)reference[k] - (double)data[k]) <= (double)epsilon);
    return threshold == 0.0f ? differ == 0 : (float)differ <= threshold * (float)length;
}
inline bool compareL2fe(const float *reference, const float *data, const unsigned length,
                        const float epsilon)
{
    double error = 0, all = 0;
    for (unsigned k = 0; k < length; k++) {
        error += ((double)reference[k] - data[k]) * ((double)reference[k] - data[k]);
        all += (double)reference[k] * reference[k];
    }
    if (all == 0) {
        std::cerr << "ERROR, reference l2 is 0\n";
        return false;
    }
    return sqrt(error) / sqrt(all) < epsilon;
}
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned length,
                           const float epsilon)
{
    return compareL2fe(reference, data, length, epsilon);
}

#endif
