/* newer.c: see newer.h. */
#include "code/newer.h"

#include "code/decode.h"

unsigned newer_needs(const ptx_instr *p)
{
    /* op null: any; modifier null: whatever it has */
    static const struct {
        const char *op, *modifier;
        unsigned sm;
    } table[] = {
        { "redux", NULL, 80 },      { "createpolicy", NULL, 80 },   { "cvt", "tf32", 80 },
        { "min", "xorsign", 86 },   { "max", "xorsign", 86 },       { "atom", "b128", 90 },
        { "elect", NULL, 90 },      { "griddepcontrol", NULL, 90 }, { "mapa", NULL, 90 },
        { "getctarank", NULL, 90 }, { NULL, "cluster", 90 },        { "fence", "async", 90 },
        { "redux", "f32", 100 },    { "add", "f32x2", 100 },        { "mul", "f32x2", 100 },
        { "fma", "f32x2", 100 },
    };
    unsigned most = 0;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if ((!table[k].op || op_is(p, table[k].op)) &&
            (!table[k].modifier || has(p, table[k].modifier)) && table[k].sm > most)
            most = table[k].sm;
    return most;
}
