/*
 * class_shard.h: a class in N shares, for a cluster: `grade all FOLDER --shard K/N`.
 *
 * A submission belongs to the share that a hash of its name gives, whoever else has handed in. So a
 * shard that is started again does the same work. Below --out:
 *
 *   class.shards/K-of-N/            what --out has of a whole class (class.h), of this share alone:
 *                                   its tables, its journal, its lock, its references
 *   class.shards/K-of-N/shard.json  what it is graded with: {"schema": 1, "kit", "backend",
 *                                   "sandbox", "labs"}
 *
 * Shards have no file in common, and need no connection to each other. class_merge.h makes one
 * class of them.
 */
#ifndef CLASS_SHARD_H
#define CLASS_SHARD_H

#include "submission.h"

enum { SHARD_LABS = 2000 };

/* What shard.json says. */
typedef struct shard_facts {
    char kit[HASH_SHA256 + 1], backend[16], sandbox[40], labs[SHARD_LABS];
} shard_facts;

/* From 1 to `shards`. */
unsigned shard_of(const char *name, unsigned shards);

bool shard_folder(const char *out, unsigned shard, unsigned shards, char path[PATH_MAX],
                  base_error *error);

/* What a grading with these options is graded with. */
void shard_facts_of(const options *o, const lab *const *labs, size_t count, shard_facts *facts);

/* shard.json in a shard's folder. Reading is false where there is none. */
bool shard_write(const char *folder, const shard_facts *facts, base_error *error);
bool shard_read(const char *folder, shard_facts *facts);

/* How many shares the class below `out` was cut into, by the folders there. False, with a message,
   if there are none, or of several cuts. */
bool shard_count(const char *out, unsigned *shards, base_error *error);

#endif
