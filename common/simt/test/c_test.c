/* c_test.c: see c_test.h. */
#include "c_test.h"

#include <string.h>

#include "../../base/error.h"

void test_need(bool ok, const simt_device *device)
{
    if (!ok)
        die(1, "%s: %s", check_name(), device ? simt_error(device) : "no device");
}

simt_device *test_open(size_t memory)
{
    simt_config config = simt_default_config();
    simt_device *device = NULL;

    config.memory = memory;
    test_need(simt_open(&config, &device) == SIMT_OK, device);
    return device;
}

unsigned test_load(simt_device *device, const char *text, const char *name)
{
    unsigned module = 0;

    test_need(simt_module_load(device, text, strlen(text), name, &module) == SIMT_OK, device);
    return module;
}

const simt_finding *test_only_finding(simt_device *device, simt_finding_kind kind)
{
    static const simt_finding none;
    const simt_finding *found = NULL;

    EQUAL(1, simt_host_findings(device, &found));
    if (found)
        EQUAL(kind, found->kind);
    return found ? found : &none;
}

const char *test_message(const simt_finding *finding)
{
    static simt_words words;

    simt_finding_words(finding, NULL, &words);
    return words.message;
}
