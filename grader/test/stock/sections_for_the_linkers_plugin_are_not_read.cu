// expect: PASS |
/* What gcc's linker plugin would take for a program of its own, and hand to its compiler. */
#ifndef __CUDA_ARCH__
asm(".pushsection .gnu.lto_.symtab.1,\"e\"\n.byte 1,2,3\n.popsection");
asm(".pushsection .gnu.lto_main.1,\"e\"\n.byte 1,2,3\n.popsection");
asm(".pushsection .gnu.lto_.opts,\"e\"\n.ascii \"'-fplugin=./host.o'\"\n.byte 0\n.popsection");
#endif
static void attack(void) {}
