/* program_file.c: reads the sections of an ELF program: the mark of simt cc, and the PTX texts of
   its kernels. See command.h. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "file.h"

enum { LARGEST_PROGRAM = 1 << 30 };

/* The section of that name; null if there is none, or the file is damaged. */
static const Elf64_Shdr *section(const char *data, size_t size, const char *name)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)data;
    if (head->e_shoff > size || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr) ||
        head->e_shstrndx >= head->e_shnum || head->e_shoff % 8)
        return NULL;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(data + head->e_shoff),
                     *names = &sections[head->e_shstrndx];
    if (names->sh_offset > size || names->sh_size > size - names->sh_offset ||
        names->sh_size == 0 || data[names->sh_offset + names->sh_size - 1])
        return NULL;
    for (unsigned k = 0; k < head->e_shnum; k++)
        if (sections[k].sh_name < names->sh_size &&
            strcmp(data + names->sh_offset + sections[k].sh_name, name) == 0 &&
            sections[k].sh_offset <= size && sections[k].sh_size <= size - sections[k].sh_offset)
            return &sections[k];
    return NULL;
}

/* The texts without the zeros between them. */
static char *texts_of(const char *data, const Elf64_Shdr *fat, size_t *bytes)
{
    char *text = malloc(fat->sh_size + 1);
    *bytes = 0;
    for (size_t k = 0; text && k < fat->sh_size; k++)
        if (data[fat->sh_offset + k])
            text[(*bytes)++] = data[fat->sh_offset + k];
    if (text)
        text[*bytes] = '\0';
    return text;
}

program_kind program_look(const char *path, char **ptx, size_t *bytes, base_error *error)
{
    char *data;
    size_t size;
    program_kind kind = PROGRAM_OTHER;

    if (ptx)
        *ptx = NULL;
    if (!file_read(path, LARGEST_PROGRAM, &data, &size, error))
        return PROGRAM_NONE;
    if (size >= sizeof(Elf64_Ehdr) && memcmp(data, ELFMAG, SELFMAG) == 0 &&
        data[EI_CLASS] == ELFCLASS64) {
        const Elf64_Shdr *fat = section(data, size, ".nv_fatbin");
        if (section(data, size, ".scanlab_simt"))
            kind = PROGRAM_WATCHED;
        if (ptx && fat)
            *ptx = texts_of(data, fat, bytes);
    }
    free(data);
    return kind;
}

size_t program_next_module(const char *text)
{
    const char *version = strstr(text, ".version"),
               *next = version ? strstr(version + 1, "\n.version") : NULL;
    if (!next)
        return strlen(text);
    /* the comment lines and empty lines in front of it are its own */
    while (next > text) {
        const char *line = next;
        while (line > text && line[-1] != '\n')
            line--;
        if (line == next || *line == '/' || *line == '\n') {
            if (line == text)
                break;
            next = line - 1;
            continue;
        }
        break;
    }
    return (size_t)(next + 1 - text);
}
