// expect: COMPILE_ERROR |
// whole, 10 s
#include "../../solutions/04_hillis_steele/hillis_steele.cu"
