/* vector_functions.h: make_int2 and its kin live with the types. */
#include "vector_types.h"
