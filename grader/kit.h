/*
 * kit.h: is this the whole kit, or a part of it? A student kit (tools/student-kit) has no solutions
 * and no git history. What would lead there asks here first.
 */
#ifndef KIT_H
#define KIT_H

#include <stdbool.h>
#include <stdio.h>

#include "config.h"
#include "file.h"

static inline bool kit_has_solutions(void) { return file_exists(SCANLAB_SOURCE_DIR "/solutions"); }

/* What brings back a file of the kit: "git checkout HEAD -- labs/04_x/grading/lab.c". */
static inline void kit_restore(const char *path, char *text, size_t room)
{
    if (file_exists(SCANLAB_SOURCE_DIR "/.git") && kit_has_solutions())
        snprintf(text, room, "git checkout HEAD -- %.300s", path);
    else
        snprintf(text, room, "take %.300s out of the archive that the kit came in", path);
}

#endif
