// expect: COMPILE_ERROR | defined nowhere: std::helper(int), __cxa_helper
#include "hillis_steele.h"

namespace std
{
int helper(int);
}
extern "C" int __cxa_helper(int);

int helped(int n) { return std::helper(n) + __cxa_helper(n); }
