/*
 * bits/shared_ptr_base.h: the C++ library's own, behind <memory>, which says
 * __attribute__((__noinline__)). CUDA's word __noinline__ is a macro where clang is older than 15;
 * here it must not be. (clang has such a wrapper itself, for its own CUDA headers.)
 */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
