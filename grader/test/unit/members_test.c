/*
 * members_test.c: names of members, and asm statements, from LLVM's text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm_text.h"
#include "check.h"
#include "members.h"

/* struct { mbarrier full[6]; const unsigned kept[2][3]; struct { short x, y; } at[2];
   union { ... } u;
   int bits : 3; int last; } s, and an array. */
static const char ir[] =
    "source_filename = \"scan.cu\"\n"
    "@_ZZ4scanE1s = internal addrspace(3) global %struct.ring undef, align 8, !dbg !2\n"
    "@plain = internal addrspace(3) global [32 x float] undef, align 4, !dbg !30\n"
    "@d = internal addrspace(1) global %struct.ring undef, align 8, !dbg !2\n"
    "@unknown = internal addrspace(3) global %struct.ring undef, align 8\n"
    "define void @scan() {\n  call void @llvm.dbg.declare(metadata i32* %x), !dbg !2\n"
    "    #dbg_declare(ptr %x, !2)\n  ret void\n}\n"
    "!llvm.dbg.cu = !{!1}\n"
    "\n"
    "!0 = !{}\n"
    "!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !7, isOptimized: true, "
    "emissionKind: FullDebug, globals: !0)\n"
    "!2 = !DIGlobalVariableExpression(var: !3, expr: !DIExpression())\n"
    "!3 = distinct !DIGlobalVariable(name: \"s\", scope: !4, file: !7, line: 5, type: !5)\n"
    "!5 = !DIDerivedType(tag: DW_TAG_typedef, name: \"ring\", file: !7, line: 1, baseType: !8)\n"
    "!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !7, line: 1, size: 800, "
    "flags: DIFlagTypePassByValue, elements: !9, identifier: \"_ZTS4ring\")\n"
    "!9 = !{!10, !16, !20, !40, !41, !42}\n"
    "!10 = !DIDerivedType(tag: DW_TAG_member, name: \"full\", file: !7, baseType: !12, size: 384)\n"
    "!12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 384, elements: !14)\n"
    "!13 = !DIDerivedType(tag: DW_TAG_typedef, name: \"mbarrier\", baseType: !18)\n"
    "!14 = !{!15}\n"
    "!15 = !DISubrange(count: 6)\n"
    "!16 = !DIDerivedType(tag: DW_TAG_member, name: \"kept\", baseType: !17, size: 192, "
    "offset: 384)\n"
    "!17 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 192, elements: !19)\n"
    "!18 = !DIBasicType(name: \"unsigned long long\", size: 64, encoding: DW_ATE_unsigned)\n"
    "!19 = !{!25, !26}\n"
    "!20 = !DIDerivedType(tag: DW_TAG_member, name: \"at\", baseType: !21, size: 64, offset: 576)\n"
    "!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !27, size: 64, elements: !28)\n"
    "!22 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !23)\n"
    "!23 = !DIBasicType(name: \"unsigned int\", size: 32, encoding: DW_ATE_unsigned)\n"
    "!25 = !DISubrange(count: 2)\n"
    "!26 = !DISubrange(count: 3)\n"
    "!27 = distinct !DICompositeType(tag: DW_TAG_structure_type, size: 32, elements: !29)\n"
    "!28 = !{!25}\n"
    "!29 = !{!33, !34}\n"
    "!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())\n"
    "!31 = distinct !DIGlobalVariable(name: \"plain\", scope: !4, file: !7, type: !12)\n"
    "!33 = !DIDerivedType(tag: DW_TAG_member, name: \"x\", baseType: !35, size: 16)\n"
    "!34 = !DIDerivedType(tag: DW_TAG_member, name: \"y\", baseType: !35, size: 16, offset: 16)\n"
    "!35 = !DIBasicType(name: \"short\", size: 16, encoding: DW_ATE_signed)\n"
    "!36 = distinct !DICompositeType(tag: DW_TAG_union_type, size: 32, elements: !29)\n"
    "!40 = !DIDerivedType(tag: DW_TAG_member, name: \"u\", baseType: !36, size: 32, offset: 640)\n"
    "!41 = !DIDerivedType(tag: DW_TAG_member, name: \"bits\", baseType: !23, size: 3, offset: 672, "
    "flags: DIFlagBitField)\n"
    "!42 = !DIDerivedType(tag: DW_TAG_member, name: \"last\", baseType: !23, size: 32, "
    "offset: 704)\n";

TEST(members_of_a_struct_are_listed_with_their_places)
{
    char *const text = strdup(ir), *const list = text ? members_take(text) : NULL;

    CHECK(list && strcmp(list, ".pragma \"members _ZZ4scanE1s .full 0 8 6 .kept[0] 48 4 3 "
                               ".kept[1] 60 4 3 .at[0].x 72 2 1 .at[0].y 74 2 1 .at[1].x 76 2 1 "
                               ".at[1].y 78 2 1 .last 88 4 1\";\n") == 0,
          "it is \"%s\"", list ? list : "");
    CHECK(text && strlen(text) == strlen(ir) && !strstr(text, "FullDebug") &&
              !strstr(text, "dbg.declare") && !strstr(text, "#dbg") && strstr(text, "  ret void") &&
              strstr(text, "emissionKind: 3 "),
          "the types go on to PTX");
    free(list);
    free(text);
}

TEST(parameters_of_a_kernel_are_listed_by_their_names_in_the_source)
{
    static const char lines[] =
        "define dso_local void @_Z4scanPKfPfi(float* %0, float* %1, i32 %2) #0 !dbg !2 {\n}\n"
        "define internal float @load(float* %0) !dbg !3 {\n}\n"
        "define void @nameless(i32 %0) !dbg !9 {\n}\n"
        "define dso_local ptx_kernel void @newer(i32 %0) !dbg !10 {\n}\n"
        "define dso_local void @no_kernel(i32 %0) !dbg !11 {\n}\n"
        "define void @\"quoted\"(i32 %0) !dbg !2 {\n}\n"
        "\n"
        "!0 = !{}\n"
        "!2 = distinct !DISubprogram(name: \"scan\", scope: !7)\n"
        "!3 = distinct !DISubprogram(name: \"load\", scope: !7)\n"
        "!4 = !DILocalVariable(name: \"n\", arg: 3, scope: !2, file: !7, line: 9, type: !8)\n"
        "!5 = !DILocalVariable(name: \"d_in\", arg: 1, scope: !2, file: !7, line: 9, type: !8)\n"
        "!6 = !DILocalVariable(name: \"i\", scope: !2, file: !7, line: 11, type: !8)\n"
        "!7 = !DILocalVariable(name: \"p\", arg: 1, scope: !3)\n"
        "!8 = !DILocalVariable(name: \"q\", arg: 99999999999, scope: !2)\n"
        "!9 = distinct !DISubprogram(name: \"nameless\", scope: !7)\n"
        "!10 = distinct !DISubprogram(name: \"newer\", scope: !7)\n"
        "!11 = distinct !DISubprogram(name: \"no_kernel\", scope: !7)\n"
        "!12 = !DILocalVariable(name: \"n\", arg: 1, scope: !10)\n"
        "!13 = !DILocalVariable(name: \"n\", arg: 1, scope: !11)\n"
        "!14 = !{void (float*, float*, i32)* @_Z4scanPKfPfi, !\"kernel\", i32 1}\n"
        "!15 = !{void (i32)* @nameless, !\"kernel\", i32 1}\n"
        "!16 = !{void (i32)* @\"quoted\", !\"kernel\", i32 1}\n"
        "!17 = !{void (i32)* @no_kernel, !\"maxntidx\", i32 32}\n";
    char *const text = strdup(lines), *const list = text ? members_take(text) : NULL;

    CHECK(list && strcmp(list, ".pragma \"parameters _Z4scanPKfPfi d_in ? n\";\n"
                               ".pragma \"parameters newer n\";\n") == 0,
          "it is \"%s\"", list ? list : "");
    free(list);
    free(text);
}

TEST(types_that_never_end_or_are_missing_give_no_members)
{
    static const char *const texts[] = {
        "",
        "no metadata\n",
        "@s = internal addrspace(3) global %t undef, !dbg !7\n\n!0 = !{}\n",
        "@s = internal addrspace(3) global %t undef, !dbg !0\n"
        "!0 = !DIGlobalVariableExpression(var: !1)\n!1 = !DIGlobalVariable(name: \"s\", type: !2)\n"
        "!2 = !DIDerivedType(tag: DW_TAG_typedef, baseType: !2)\n",
        "@s = internal addrspace(3) global %t undef, !dbg !0\n"
        "!0 = !DIGlobalVariableExpression(var: !1)\n!1 = !DIGlobalVariable(name: \"s\", type: !2)\n"
        "!2 = !DICompositeType(tag: DW_TAG_structure_type, size: 64, elements: !3)\n!3 = !{!4}\n"
        "!4 = !DIDerivedType(tag: DW_TAG_member, name: \"s\", baseType: !2, size: 64)\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char *const text = strdup(texts[k]), *const list = text ? members_take(text) : NULL;
        CHECK(list && !strstr(list, " ."), "text %zu: \"%s\"", k, list ? list : "null");
        free(list);
        free(text);
    }
}

/* A hang ends the test. */
static char *take_in_time(const char *types)
{
    static const char front[] =
        "@s = internal addrspace(3) global %t undef, !dbg !0\n\n"
        "!0 = !DIGlobalVariableExpression(var: !1)\n!1 = !DIGlobalVariable(name: \"s\", type: !2)\n"
        "!2 = !DICompositeType(tag: DW_TAG_structure_type, size: 64, elements: !3)\n!3 = !{!4}\n"
        "!4 = !DIDerivedType(tag: DW_TAG_member, name: \"m\", baseType: !5, size: 64)\n";
    char text[2000];

    snprintf(text, sizeof text, "%s%s", front, types);
    alarm(5);
    char *list = members_take(text);
    alarm(0);
    return list;
}

TEST(members_without_end_take_no_time_and_sizes_that_overflow_no_division)
{
    static const char *const types[] = {
        /* 2^50 empty structs */
        "!5 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 9007199254740992, "
        "elements: !8)\n!6 = !DICompositeType(tag: DW_TAG_structure_type, size: 8, elements: !7)\n"
        "!7 = !{}\n!8 = !{!9}\n!9 = !DISubrange(count: 1125899906842624)\n",
        /* sixteen structs deep, sixteen in each, nothing in the last */
        "!5 = !DICompositeType(tag: DW_TAG_structure_type, size: 64, elements: !6)\n"
        "!6 = !{!4, !4, !4, !4, !4, !4, !4, !4, !4, !4, !4, !4, !4, !4, !4, !4}\n",
        /* 2^64 + 2^33 rows */
        "!5 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 64, elements: !7)\n"
        "!6 = !DICompositeType(tag: DW_TAG_structure_type, size: 8, elements: !7)\n"
        "!7 = !{!8, !9}\n!8 = !DISubrange(count: 8589934592)\n"
        "!9 = !DISubrange(count: 2147483649)\n",
        /* a list that has none, before a line that looks like one */
        "!5 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 64, elements: !7)\n"
        "!6 = !DIBasicType(size: 8)\n!7 = !{}\n!8 = !DISubrange(count: 8)\n",
    };
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        char *const list = take_in_time(types[k]);
        CHECK(list && strlen(list) < 30000, "types %zu: \"%s\"", k, list ? list : "null");
        free(list);
    }
}

/* 4000 arrays of one type, which has a list as long as all that is read of the text. */
TEST(long_lines_are_not_read_for_every_member)
{
    enum { MEMBERS = 4000, LONG = 8 << 20, ROOM = 4 * LONG };
    static const char front[] =
        "@s = internal addrspace(3) global %t undef, !dbg !0\n\n"
        "!0 = !DIGlobalVariableExpression(var: !1)\n!1 = !DIGlobalVariable(name: \"s\", type: !2)\n"
        "!2 = !DICompositeType(tag: DW_TAG_structure_type, size: 64, elements: !3)\n"
        "!4 = !DIDerivedType(tag: DW_TAG_member, name: \"m\", baseType: !5, size: 64)\n"
        "!5 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 64, elements: !7)\n"
        "!6 = !DIBasicType(size: 0)\n!8 = !DISubrange(count: 8)\n!3 = !{!4";
    char *const text = malloc(ROOM), *to = text;

    CHECK(text, "no memory");
    to += sprintf(to, "%s", front);
    for (unsigned k = 0; k < MEMBERS; k++)
        to += sprintf(to, ", !4");
    to += sprintf(to, "}\n!7 = !{!8}");
    memset(to, ' ', LONG);
    strcpy(to + LONG, "\n");
    alarm(5);
    char *const list = members_take(text);
    alarm(0);
    CHECK(list && strlen(list) < 400, "%.400s", list ? list : "null");
    free(list);
    free(text);
}

TEST(members_of_many_variables_are_listed_up_to_a_limit)
{
    enum { VARIABLES = 20000, ROOM = 100 };
    char *const text = malloc(sizeof ir + (size_t)VARIABLES * ROOM), *to = text;

    for (unsigned k = 0; text && k < VARIABLES; k++)
        to += snprintf(to, ROOM, "@s%u = internal addrspace(3) global %%t undef, !dbg !2\n", k);
    if (text)
        strcpy(to, ir);
    char *const list = text ? members_take(text) : NULL;
    CHECK(list && strlen(list) < MEMBERS_TEXT && strlen(list) > MEMBERS_TEXT / 2 &&
              strcmp(list + strlen(list) - 3, "\";\n") == 0,
          "%zu bytes", list ? strlen(list) : 0);
    free(list);
    free(text);
}

static bool asm_stays(const char *said, char message[200])
{
    char text[600];

    snprintf(text, sizeof text,
             "define void @k() {\n  %%1 = call %%\"a asm b\" asm sideeffect \"%s\", "
             "\"=r\"() #2, !dbg !7, !srcloc !8\n}\n\n!0 = !{}\n!7 = !DILocation(line: 14, column: "
             "11, scope: !52)\n",
             said);
    return asm_text_stays(text, "scan.cu", message, 200);
}

TEST(asm_statements_stay_within_their_function)
{
    static const char *const
        stay[] = { "",          "mov.u32 $0, 5;",  "{ .reg .b32 a; { } }", "\\7B ret; \\7D",
                   "// }",      "/* } */ {/*{*/}", ".pragma \\22}\\22;",   "${0:c}, $$, $0 {}",
                   "// }\\0A{}" },
        *const leave[] = {
            "}",      "{",         "} .func f() {", "\\7D",         "/* {",
            "{ // }", "// {\\0A}", "\\22{\\22 }",   ".pragma \\22", "\\22\\\\\\22 }\\22 }",
            "$${",    "*/ } /*",   "/ * } * /",     "{ \\00 }",     "// \\00",
            "\\00"
        };
    char message[200];

    for (size_t k = 0; k < sizeof stay / sizeof *stay; k++)
        CHECK(asm_stays(stay[k], message), "%s: %s", stay[k], message);
    for (size_t k = 0; k < sizeof leave / sizeof *leave; k++)
        CHECK(!asm_stays(leave[k], message) &&
                  strstr(message, "scan.cu:14:11: error: this asm statement leaves its function"),
              "%s: %s", leave[k], message);
}
