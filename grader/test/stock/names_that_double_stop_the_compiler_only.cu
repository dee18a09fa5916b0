// expect: COMPILE_LIMIT,COMPILE_ERROR,PASS |
/* Each type holds the one before it twice: a name of 2^20 parts. */
static void attack(void) {}

template <class A, class B> struct two {
};

template <int N> struct many {
    typedef typename many<N - 1>::all less;
    typedef two<less, less> all;
};

template <> struct many<0> {
    typedef int all;
};

template <class T> __attribute__((used)) static void named(T *) {}

__attribute__((used)) static void use(void) { named((many<20>::all *)0); }
