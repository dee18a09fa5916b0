/*
 * json_get.c: prints what stands at a path in a JSON file, for shell tests.
 *
 *   json_get FILE labs.0.verdict
 *
 * A string without quotes, a number, true, false, null; of an object its keys in alphabetical
 * order, of an array its length. Nothing at that path: exit status 1.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *step(json_t *from, const char *key, size_t length)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)length, key);
    return json_is_array(from) ? json_array_get(from, strtoul(name, NULL, 10))
                               : json_object_get(from, name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_keys(json_t *object)
{
    const char *keys[64], *key;
    json_t *value;
    size_t count = 0;

    json_object_foreach(object, key, value) if (count < 64) keys[count++] = key;
    qsort(keys, count, sizeof keys[0], by_name);
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i ? " " : "", keys[i]);
    printf("\n");
}

static void print_value(json_t *value)
{
    if (json_is_object(value))
        print_keys(value);
    else if (json_is_array(value))
        printf("%zu\n", json_array_size(value));
    else if (json_is_string(value))
        printf("%s\n", json_string_value(value));
    else if (json_is_number(value))
        printf("%.10g\n", json_number_value(value));
    else
        printf("%s\n", json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
}

int main(int count, char **arguments)
{
    json_error_t error;
    json_t *all = count == 3 ? json_load_file(arguments[1], 0, &error) : NULL, *at = all;

    if (!all) {
        fprintf(stderr, "json_get: %s\n",
                count == 3 ? error.text : "two arguments, a file and a path");
        return 2;
    }
    for (const char *key = arguments[2]; at && *key;) {
        size_t length = strcspn(key, ".");
        at = step(at, key, length);
        key += length + (key[length] == '.');
    }
    const bool found = at != NULL;
    if (found)
        print_value(at);
    json_decref(all);
    return !found;
}
