/*
 * texture_functions.h: tex1Dfetch, tex1D and tex2D of texture objects, as the CUDA C++ Programming
 * Guide has them in "Texture Fetching": with point and linear filtering (fractions of 8 bits), the
 * four ways beyond an edge, and small integers as floats. Plain loads here, with every check that
 * loads have; beyond the end of linear memory is 0.
 */
#ifndef SCANLAB_TEXTURE_FUNCTIONS_H
#define SCANLAB_TEXTURE_FUNCTIONS_H

#include "texture_types.h"

template <class T> struct scanlab_texel {
    typedef T part;
    enum { parts = 1 };
};
#define SCANLAB_TEXEL(one, name)                                                                   \
    template <> struct scanlab_texel<name##1> {                                                    \
        typedef one part;                                                                          \
        enum { parts = 1 };                                                                        \
    };                                                                                             \
    template <> struct scanlab_texel<name##2> {                                                    \
        typedef one part;                                                                          \
        enum { parts = 2 };                                                                        \
    };                                                                                             \
    template <> struct scanlab_texel<name##4> {                                                    \
        typedef one part;                                                                          \
        enum { parts = 4 };                                                                        \
    };
SCANLAB_TEXEL(signed char, char)
SCANLAB_TEXEL(unsigned char, uchar)
SCANLAB_TEXEL(short, short)
SCANLAB_TEXEL(unsigned short, ushort)
SCANLAB_TEXEL(int, int)
SCANLAB_TEXEL(unsigned, uint)
SCANLAB_TEXEL(float, float)
#undef SCANLAB_TEXEL

#define SCANLAB_TEX template <class T> static inline SCANLAB_DEVICE

/* The object's facts; stops the kernel where they do not go with the call. */
SCANLAB_TEX const scanlab_texture *scanlab_texture_of(cudaTextureObject_t object, bool fetched)
{
    const scanlab_texture *t = (const scanlab_texture *)object;
    const unsigned parts = scanlab_texel<T>::parts;
    if (t->linear_memory != fetched)
        __assertfail("tex1Dfetch reads textures of linear memory, tex1D and tex2D all others",
                     "a texture", 0, "", 1);
    if (t->channels != parts ||
        (t->read_mode ? sizeof(T) != parts * sizeof(float) : t->channel_bytes * parts != sizeof(T)))
        __assertfail("the texture's elements are not of the type in tex...<type>()", "a texture", 0,
                     "", 1);
    return t;
}

SCANLAB_TEX T scanlab_texel_at(const scanlab_texture *t, unsigned long long at)
{
    typedef typename scanlab_texel<T>::part part;
    if (!t->read_mode)
        return *(const T *)at;
    part parts[scanlab_texel<T>::parts];
    for (int k = 0; k < scanlab_texel<T>::parts; k++) {
        float value;
        if (t->channel_bytes == 1)
            value = t->kind == cudaChannelFormatKindSigned
                        ? fmaxf((float)((const signed char *)at)[k] / 127.0f, -1.0f)
                        : (float)((const unsigned char *)at)[k] / 255.0f;
        else
            value = t->kind == cudaChannelFormatKindSigned
                        ? fmaxf((float)((const short *)at)[k] / 32767.0f, -1.0f)
                        : (float)((const unsigned short *)at)[k] / 65535.0f;
        parts[k] = (part)value;
    }
    return *(T *)parts;
}

SCANLAB_TEX T scanlab_texel_const(const float *each)
{
    typedef typename scanlab_texel<T>::part part;
    part parts[scanlab_texel<T>::parts];
    for (int k = 0; k < scanlab_texel<T>::parts; k++)
        parts[k] = each ? (part)each[k] : (part)0;
    return *(T *)parts;
}

SCANLAB_TEX T tex1Dfetch(cudaTextureObject_t object, int x)
{
    const scanlab_texture *t = scanlab_texture_of<T>(object, true);
    if ((unsigned)x >= t->width)
        return scanlab_texel_const<T>(nullptr);
    return scanlab_texel_at<T>(t, t->data + (unsigned long long)(unsigned)x *
                                                (t->channels * t->channel_bytes));
}

/* An element's place in the texture; -1: in the border. */
static inline SCANLAB_DEVICE int scanlab_texture_place(int i, int n, unsigned mode, bool normalized)
{
    if (mode == cudaAddressModeBorder)
        return i < 0 || i >= n ? -1 : i;
    if (normalized && mode == cudaAddressModeWrap)
        return (i % n + n) % n;
    if (normalized && mode == cudaAddressModeMirror) {
        const int m = (i % (2 * n) + 2 * n) % (2 * n);
        return m < n ? m : 2 * n - 1 - m;
    }
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

SCANLAB_TEX T scanlab_texel_2d(const scanlab_texture *t, int x, int y)
{
    const int i = scanlab_texture_place(x, (int)t->width, t->address[0], t->normalized);
    const int j =
        t->height ? scanlab_texture_place(y, (int)t->height, t->address[1], t->normalized) : 0;
    if (i < 0 || j < 0)
        return scanlab_texel_const<T>(t->border);
    return scanlab_texel_at<T>(t, t->data + (unsigned long long)j * t->pitch +
                                      (unsigned long long)i * (t->channels * t->channel_bytes));
}

/* Of four elements, by fractions of 8 bits. */
SCANLAB_TEX T scanlab_texel_mix(const scanlab_texture *t, float x, float y)
{
    typedef typename scanlab_texel<T>::part part;
    const int i = (int)floorf(x), j = (int)floorf(y);
    const float a = rintf((x - (float)i) * 256.0f) / 256.0f;
    const float b = t->height ? rintf((y - (float)j) * 256.0f) / 256.0f : 0.0f;
    const T four[4] = { scanlab_texel_2d<T>(t, i, j), scanlab_texel_2d<T>(t, i + 1, j),
                        scanlab_texel_2d<T>(t, i, j + 1), scanlab_texel_2d<T>(t, i + 1, j + 1) };
    part parts[scanlab_texel<T>::parts];
    for (int k = 0; k < scanlab_texel<T>::parts; k++)
        parts[k] = (part)((1.0f - a) * (1.0f - b) * (float)((const part *)&four[0])[k] +
                          a * (1.0f - b) * (float)((const part *)&four[1])[k] +
                          (1.0f - a) * b * (float)((const part *)&four[2])[k] +
                          a * b * (float)((const part *)&four[3])[k]);
    return *(T *)parts;
}

SCANLAB_TEX T tex2D(cudaTextureObject_t object, float x, float y)
{
    const scanlab_texture *t = scanlab_texture_of<T>(object, false);
    if (t->normalized) {
        x *= (float)t->width;
        y *= (float)t->height;
    }
    return t->filter == cudaFilterModeLinear
               ? scanlab_texel_mix<T>(t, x - 0.5f, y - 0.5f)
               : scanlab_texel_2d<T>(t, (int)floorf(x), (int)floorf(y));
}
SCANLAB_TEX T tex1D(cudaTextureObject_t object, float x) { return tex2D<T>(object, x, 0.0f); }

/* the forms with a place for the result */
SCANLAB_TEX void tex1Dfetch(T *to, cudaTextureObject_t object, int x)
{
    *to = tex1Dfetch<T>(object, x);
}
SCANLAB_TEX void tex1D(T *to, cudaTextureObject_t object, float x) { *to = tex1D<T>(object, x); }
SCANLAB_TEX void tex2D(T *to, cudaTextureObject_t object, float x, float y)
{
    *to = tex2D<T>(object, x, y);
}
#undef SCANLAB_TEX

#endif
