#include "cuda_pipeline.h" /* all in one */
