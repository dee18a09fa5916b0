/*
 * texture_types.h: texture objects of linear and pitched memory and of arrays of one and two
 * dimensions: names, values and layout as in CUDA. An object is the device's address of a
 * scanlab_texture, which texture_functions.h reads; texture.c makes it.
 */
#ifndef SCANLAB_TEXTURE_TYPES_H
#define SCANLAB_TEXTURE_TYPES_H
#define __TEXTURE_TYPES_H__

#include <stddef.h>

typedef unsigned long long cudaTextureObject_t;

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits */
    enum cudaChannelFormatKind f;
};

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t; /* there are none */
#define cudaArrayDefault          0
#define cudaArrayLayered          1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap          4
#define cudaArrayTextureGather    8

enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
    unsigned int flags;
};
struct cudaResourceViewDesc { /* of mipmaps and the like: none */
    int format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};

/* What a kernel reads of an object. */
typedef struct scanlab_texture {
    unsigned long long data, pitch;
    unsigned width, height; /* elements; height 0: of one dimension */
    unsigned channels, channel_bytes, kind;
    unsigned linear_memory; /* tex1Dfetch may read it */
    unsigned read_mode, filter, normalized, address[2];
    float border[4];
} scanlab_texture;

#endif
