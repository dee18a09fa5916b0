/*
 * marks.c: a class's points for a course system's upload. Each person is named by what the system
 * knows: a number that it put into the name of a file or folder, or else the name itself.
 *
 * Moodle, "Upload grading worksheet" (mod/assign/feedback/offline/importgradeslib.php): it needs
 * Identifier, Grade and "Last modified (grade)", and takes "Feedback comments"; a row with no grade
 * is passed over. Canvas, "Import" in the gradebook (lib/gradebook_importer.rb): Student, ID, SIS
 * User ID, SIS Login ID, Section, then a column for each assignment, whose points stand in the
 * row "Points Possible"; a person is looked for by ID, login, then name.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "class_table.h"
#include "facts.h"
#include "formats.h"
#include "markup.h"

/* The number that the course system has given, or "". */
static const char *id_of(const json_t *row) { return facts_text(row, "id"); }

static const char *name_of(const json_t *row)
{
    const char *name = facts_text(row, "name");
    return *name ? name : facts_text(row, "submission");
}

/* The name of a folder that somebody made by hand, say: a login or an address of mail. */
static const char *login_of(const json_t *row)
{
    return *id_of(row) ? "" : facts_text(row, "submission");
}

/* Empty where nothing was graded. */
static void put_points(FILE *to, const json_t *graded, bool most)
{
    if (json_is_number(json_object_get(graded, "points")))
        fprintf(to, "%.10g", most ? facts_most(graded) : facts_worth(graded));
}

/* ---- Moodle ---------------------------------------------------------------------------------- */

static void put_participant(FILE *to, const json_t *row)
{
    if (*id_of(row))
        fprintf(to, "Participant ");
    class_table_cell(to, id_of(row));
}

/* Moodle takes a comment for HTML. */
static bool put_comment(FILE *to, const char *text)
{
    char *comment = NULL;
    size_t size;
    FILE *out = open_memstream(&comment, &size);

    if (!out)
        return false;
    markup_text(out, text);
    const bool fine = fclose(out) == 0;
    if (fine)
        class_table_cell(to, comment);
    free(comment);
    return fine;
}

bool export_moodle(const json_t *whole, FILE *to, base_error *error)
{
    const json_t *row;
    bool fine = true;
    size_t i;

    fprintf(to, "Identifier,Full name,Email address,Grade,Maximum Grade,Last modified (grade),"
                "Feedback comments\n");
    json_array_foreach(json_object_get(whole, "submissions"), i, row)
    {
        put_participant(to, row);
        putc(',', to);
        class_table_cell(to, name_of(row));
        putc(',', to);
        class_table_cell(to, strchr(login_of(row), '@') ? login_of(row) : "");
        putc(',', to);
        put_points(to, row, false);
        putc(',', to);
        put_points(to, row, true);
        fputs(",-,", to);
        fine = put_comment(to, facts_text(row, "reason")) && fine;
        putc('\n', to);
    }
    return fine || error_set(error, "moodle: no memory");
}

/* ---- Canvas ---------------------------------------------------------------------------------- */

/* Labs that the class was graded on: those of the first row that has results. */
static const json_t *labs_of(const json_t *whole)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(whole, "submissions"), i, row)
    {
        if (json_array_size(json_object_get(row, "labs")))
            return json_object_get(row, "labs");
    }
    return NULL;
}

static void put_person(FILE *to, const json_t *row)
{
    class_table_cell(to, name_of(row));
    putc(',', to);
    class_table_cell(to, id_of(row));
    fputs(",,", to);
    class_table_cell(to, login_of(row));
    putc(',', to); /* Section */
}

bool export_canvas(const json_t *whole, FILE *to, base_error *error)
{
    const json_t *labs = labs_of(whole), *lab, *row;
    size_t i, l;

    if (!labs)
        return error_set(error, "canvas: nothing of this class is graded");
    fprintf(to, "Student,ID,SIS User ID,SIS Login ID,Section");
    json_array_foreach(labs, l, lab) { fprintf(to, ",%s", facts_text(lab, "id")); }
    fprintf(to, "\nPoints Possible,,,,");
    json_array_foreach(labs, l, lab)
    {
        putc(',', to);
        put_points(to, lab, true);
    }
    putc('\n', to);
    json_array_foreach(json_object_get(whole, "submissions"), i, row)
    {
        put_person(to, row);
        for (l = 0; l < json_array_size(labs); l++) {
            putc(',', to);
            put_points(to, json_array_get(json_object_get(row, "labs"), l), false);
        }
        putc('\n', to);
    }
    return true;
}
