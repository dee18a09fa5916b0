/*
 * facts.h: what the formats say of a result, out of results.json.
 */
#ifndef FACTS_H
#define FACTS_H

#include <jansson.h>

#include "verdict.h"

/* "" and 0 where there is no such text or number. */
const char *facts_text(const json_t *object, const char *key);
double facts_number(const json_t *object, const char *key);

/* What a result, a lab or a row of class.json is worth: where a course has been graded, what it
   makes of that (its object "course"), else the kit's points. */
double facts_worth(const json_t *object);
double facts_most(const json_t *object);

/* As short as it can be: "40", "37.5". */
const char *facts_points(double points, char text[32]);

typedef struct facts_part { /* of a lab */
    char name[128];         /* "04 inclusive" */
    const char *part;       /* "inclusive" */
    verdict verdict;
    double points, max_points;
    const json_t *decided; /* the case whose verdict it is; null: none */
    bool own;              /* the text is about this part, and not about the whole lab */
    bool hidden;           /* facts_hidden */
    const char *visible;   /* "now", "after due", "never"; "" without a course */
    char *text;            /* what is wrong, what to do, where: some lines; "" where it passes */
} facts_part;

verdict facts_verdict_of_lab(const json_t *lab);

/* Is there something of it to report? Not of one that was not handed in, or is still the starter.
 */
bool facts_is_begun(const json_t *lab);

/* What is said of the whole lab, such as a compiler's error; null: nothing. Of one that was not
   handed in only the grader's paths would be. */
const json_t *facts_of_lab(const json_t *lab);

size_t facts_parts(const json_t *lab); /* how many */

/* Of a part; where none was run because of the whole lab (it does not compile, is not started), the
   lab's. */
verdict facts_verdict(const json_t *lab, size_t index);

/* Does a course hide that part from students, as of now? */
bool facts_hidden(const json_t *lab, size_t index);

/* False without memory. text is the caller's to free. */
bool facts_part_of(const json_t *lab, size_t index, facts_part *part);

/* Line of `where` in the lab's own file; 0: not known, or in another. id: "04_hillis_steele" */
unsigned facts_line(const char *id, const json_t *where);

#endif
