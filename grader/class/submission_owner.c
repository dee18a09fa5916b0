/* submission_owner.c: see submission_owner.h. */
#include "submission_owner.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { LEAST_DIGITS = 2 }; /* of Canvas's numbers: cpu_scan_1_2_x.cu is none of its names */

/* Digits at text, up to an end; 0 where it is longer than an id, or goes on otherwise. */
static size_t digits(const char *text, char end)
{
    size_t count = 0;

    while (isdigit((unsigned char)text[count]))
        count++;
    return count < sizeof((submission_owner *)NULL)->id && text[count] == end ? count : 0;
}

static bool take(submission_owner *owner, const char *entry, size_t name, const char *id,
                 size_t length, const char *file)
{
    if (name == 0 || name >= sizeof owner->name)
        return false;
    memcpy(owner->name, entry, name);
    owner->name[name] = '\0';
    memcpy(owner->id, id, length);
    owner->id[length] = '\0';
    owner->file = file;
    return true;
}

static bool is_moodles(const char *entry, submission_owner *owner)
{
    static const char mark[] = "_assignsubmission_";
    const char *const found = strstr(entry, mark);
    const char *id = found;

    while (id && id > entry && isdigit((unsigned char)id[-1]))
        id--;
    if (!found || id == found || id - entry < 2 || id[-1] != '_' || digits(id, '_') == 0)
        return false;
    const char *const kind = found + strlen(mark), *file = strchr(kind, '_');
    owner->text = strncmp(kind, "onlinetext", strlen("onlinetext")) == 0;
    return take(owner, entry, (size_t)(id - entry - 1), id, (size_t)(found - id),
                file ? file + 1 : "");
}

static bool is_canvas(const char *entry, submission_owner *owner)
{
    const char *const end = strchr(entry, '_');
    const char *id = end ? end + 1 : "";

    if (strncmp(id, "LATE_", strlen("LATE_")) == 0)
        id += strlen("LATE_");
    const size_t user = digits(id, '_');
    const size_t submission = user ? digits(id + user + 1, '_') : 0;
    if (user < LEAST_DIGITS || submission < LEAST_DIGITS)
        return false;
    const char *const file = id + user + 1 + submission + 1;
    owner->text = false;
    return *file && take(owner, entry, (size_t)(end - entry), id, user, file);
}

bool submission_owner_of(const char *entry, submission_owner *owner)
{
    return is_moodles(entry, owner) || is_canvas(entry, owner);
}
