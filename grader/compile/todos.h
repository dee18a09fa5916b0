/*
 * todos.h: which TODOs of a starter a student has not begun, and which a line belongs to, from the
 * text of both files alone.
 */
#ifndef TODOS_H
#define TODOS_H

#include <stdbool.h>

/* The numbers, as LAB_TODO(k) bits, of the starter's TODOs whose code is the starter's still.
   Blanks, comments, preprocessor lines and the order of functions count for nothing.

   A TODO's code begins at its marker, a line of a comment that begins with "TODO k" (or at the
   first word of code on that line), and goes on to the function's next marker or its end; that of
   the first marker begins with the function. A marker between functions is about the next one.
   Where a TODO has several markers, code at any of them begins it. In doubt a TODO is begun: all of
   those whose markers have been taken away in a function that has been changed; those whose code
   could be what stands right below a marker that was left; and those of functions that are not
   called any more where the starter calls them. */
unsigned todos_open(const char *starter, const char *student);

/* Those of several markers that are begun, and of which a marker stands as in the starter still,
   with the same code around it. A marker that was taken away says nothing. */
unsigned todos_half(const char *starter, const char *student);

/* The line of the student's file at which a TODO (its number) is to be done: its first marker's, or
   that of the name of the function that has it in the starter. 0: there is neither. */
unsigned todos_line(const char *starter, const char *student, unsigned todo);

/* Those that the starter has in the function in which this line of the student's file is. */
unsigned todos_around(const char *starter, const char *student, unsigned line);

/* Is the line in a function that is the starter's, word for word, and has no TODO? */
bool todos_given(const char *starter, const char *student, unsigned line);

/* Of these, those whose code begins ahead of the line, or may: not those whose every marker in the
   student's file stands below it. */
unsigned todos_ahead(const char *starter, const char *student, unsigned line);

/* Those of the student's functions that call the one in which the line is; where that is a kernel,
   those of the function with the launch (its line; 0: not known). calls, of so many: the lines of
   these calls, and then 0; all 0 where there are more, and of a kernel. */
unsigned todos_calling(const char *starter, const char *student, unsigned line, unsigned launch,
                       unsigned *calls, unsigned room);

#endif
