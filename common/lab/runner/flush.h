/* flush.h: what host code has printed and not yet sent. */
#ifndef RUNNER_FLUSH_H
#define RUNNER_FLUSH_H

void runner_flush_output(void);

#endif
