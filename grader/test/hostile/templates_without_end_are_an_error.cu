// expect: COMPILE_ERROR | template
template <int n> struct deeper {
    static const int value = deeper<n + 1>::value;
};
int depth = deeper<0>::value;
