// The libfuse interface that the fuse_* files are written to.  Included by nothing else.

#pragma once

#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>
