/*
 * helper_string.h: a program's options as NVIDIA's samples read them: -name, --name and -name=value
 * in any letters; written anew for this kit. A file is looked for beside the program, in data, and
 * where the program stands.
 */
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sstream>
#include <string>

#define STRCASECMP              strcasecmp
#define STRNCASECMP             strncasecmp
#define STRCPY(to, room, from)  strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result)      (result == NULL)
#define SSCANF                  sscanf
#define SPRINTF                 sprintf

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline int stringRemoveDelimiter(char delimiter, const char *string)
{
    int start = 0;
    while (string[start] == delimiter)
        start++;
    return start >= (int)strlen(string) - 1 ? 0 : start;
}

/* The value's text, "" where there is none; null: the option is not there. */
inline const char *scanlab_option(int argc, const char **argv, const char *name)
{
    const size_t all = strlen(name), length = all && name[all - 1] == '=' ? all - 1 : all;
    for (int k = 1; k < argc; k++) {
        if (argv[k][0] != '-')
            continue;
        const char *at = argv[k] + strspn(argv[k], "-");
        if (strncasecmp(at, name, length) == 0 && (at[length] == '\0' || at[length] == '='))
            return at[length] ? at + length + 1 : "";
    }
    return NULL;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name)
{
    return scanlab_option(argc, argv, name) != NULL;
}
template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, T *value)
{
    const char *text = scanlab_option(argc, argv, name);
    if (text && *text) {
        std::istringstream words(text);
        words >> *value;
    }
    return text != NULL;
}
inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name)
{
    const char *text = scanlab_option(argc, argv, name);
    return text ? atoi(text) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name)
{
    const char *text = scanlab_option(argc, argv, name);
    return text ? (float)atof(text) : 0.0f;
}
inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name,
                                     char **value)
{
    const char *text = scanlab_option(argc, argv, name);
    *value = text ? strdup(text) : NULL; /* the program's to keep */
    return text != NULL;
}

/* The file's path, the caller's to free; null: it is nowhere. */
inline char *sdkFindFilePath(const char *name, const char *program)
{
    std::string folder = program ? program : "";
    folder.resize(folder.find_last_of('/') == std::string::npos ? 0 : folder.find_last_of('/') + 1);
    const std::string tries[] = { "",     "data/",          "../data/",
                                  folder, folder + "data/", folder + "../data/" };
    for (const std::string &where : tries) {
        FILE *file = fopen((where + name).c_str(), "rb");
        if (file) {
            fclose(file);
            return strdup((where + name).c_str());
        }
    }
    return NULL;
}

#endif
