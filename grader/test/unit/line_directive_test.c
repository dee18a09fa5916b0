/* line_directive.h */
#include "line_directive.h"

#include <string.h>

#include "check.h"

static unsigned line_of(const char *text) { return line_directive(text, strlen(text)); }

TEST(line_directives_are_found_however_they_are_spelled)
{
    static const char *const spelled[] = {
        "\n#line 3",
        "\n # line 3 \"x.cu\"",
        "\n#\tline 3",
        "\n%:line 3",
        "\n\?\?=line 3",
        "\n#li\\\nne 3",
        "\n#\\ \n line 3",
        "\n/* a */ /* b\n */ #line 3",
        "\r#line 3",
        "\r\n#/* a\n */line 3",
        "\n#\xc2\xa0line 3",
        "\n# 3 \"x.cu\" 2",
        "\n# 3",
        "int x = 1'0; char c = '/*';\n#line 3",
        "const char *s = R\"(/*)\";\n#line 3",
        "#warning don't /*\n#line 3",
    };
    for (unsigned i = 0; i < sizeof spelled / sizeof *spelled; i++)
        CHECK(line_of(spelled[i]) > 0, "%u: %s", i, spelled[i]);
    EQUAL(2, line_of(spelled[0]));
    EQUAL(3, line_of("a\\\nb\n#line 9"));
}

TEST(what_is_no_line_directive_is_none)
{
    static const char *const others[] = {
        "",
        "#",
        "#include <a.h>\n#define LINE 3\nint line = 3;",
        "#define AT(line) \"at \" #line\n",
        "printf(\"#line %d\", __LINE__);",
        "#liner 3\n#define line 3",
        "// TODO #1\n/* see # 2\n # 1. load\n # 2) store\n */",
        "#pragma unroll 4",
        "\\",
        "#line_up",
    };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(line_of(others[i]) == 0, "%u: %s", i, others[i]);
}
