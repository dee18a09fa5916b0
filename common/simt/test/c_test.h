/*
 * c_test.h: what the engine's tests in C stand on: TEST, EXPECT and EQUAL
 * (common/base/test/check.h, whose main runs them: all, or those named), simt.h, and the steps that
 * begin most of them. Where such a step fails the test ends, with the engine's message.
 */
#ifndef SIMT_C_TEST_H
#define SIMT_C_TEST_H

#include "../../base/test/check.h"
#include "../simt.h"

/* A device as simt_default_config has it, with so many bytes. */
simt_device *test_open(size_t memory);

/* Ends the program, with device's message (null: none was opened), unless ok. */
void test_need(bool ok, const simt_device *device);

/* The module's number. name: for messages. */
unsigned test_load(simt_device *device, const char *text, const char *name);

/* The one finding outside a launch since the last question; it is of that kind. */
const simt_finding *test_only_finding(simt_device *device, simt_finding_kind kind);

/* what is said about it; valid until the next call */
const char *test_message(const simt_finding *finding);

#endif
