/*
 * bits/basic_string.tcc: the C++ library's own, behind <string>, which says
 * __attribute__((__noinline__)) from GCC 13 on: see shared_ptr_base.h.
 */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.tcc>
#pragma pop_macro("__noinline__")
