// expect: COMPILE_ERROR | .cu:2:2: error: unknown target triple 'nvptx
#error unknown target triple 'nvptx
#error 'type_traits' file not found
