// expect: COMPILE_ERROR |
// whole, 10 s
#include "@KIT@/solutions/04_hillis_steele/hillis_steele.cu"
