/*
 * hash.c: see hash.h.
 */
#include "hash.h"

#include <openssl/evp.h>
#include <stdio.h>

/* The hash of a header and the data after it, as digits. */
static void name_content(const EVP_MD *algorithm, const char *header, size_t header_size,
                         const void *data, size_t size, char *id)
{
    unsigned char made[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    EVP_MD_CTX *context = EVP_MD_CTX_new();

    id[0] = '\0';
    if (context && EVP_DigestInit_ex(context, algorithm, NULL) &&
        EVP_DigestUpdate(context, header, header_size) && EVP_DigestUpdate(context, data, size) &&
        EVP_DigestFinal_ex(context, made, &length))
        for (unsigned i = 0; i < length; i++)
            snprintf(id + 2 * i, 3, "%02x", made[i]);
    EVP_MD_CTX_free(context);
}

void hash_git_blob(const void *data, size_t size, char id[HASH_GIT + 1])
{
    char header[40];
    const int length = snprintf(header, sizeof header, "blob %zu", size);

    name_content(EVP_sha1(), header, (size_t)length + 1, data, size, id); /* with its NUL */
}

void hash_sha256(const void *data, size_t size, char id[HASH_SHA256 + 1])
{
    name_content(EVP_sha256(), "", 0, data, size, id);
}
