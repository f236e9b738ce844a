// Draws what renaming and reading a folder costs against the number of nodes below it.

#pragma once

#include <string>

#include "fs/prices.h"
#include "tools/comparison.h"

namespace prefixfs {

// Throws Failure where gnuplot is not installed; to be asked before the work.
void require_gnuplot();

// Writes `file`, an SVG.  Throws Failure: gnuplot failed, the file cannot be written.
void plot_comparison(const Comparison& comparison, const Prices& prices, const std::string& file);

}  // namespace prefixfs
