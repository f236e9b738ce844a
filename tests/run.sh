#!/usr/bin/env bash
# Builds prefixfs into build/ and runs all its tests; arguments go to ctest:
#
#   tests/run.sh                    everything
#   tests/run.sh -R e2e.names -V    one test, with all it prints
#
# Installs missing Debian packages first.  With CI set, warnings are errors.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install-deps.sh --tests
if ! missing=$(tools/can-mount.sh); then
  echo "cannot mount here, tests that mount are skipped: $missing" >&2
fi

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPREFIXFS_TESTS=ON \
  -DPREFIXFS_WERROR="${CI:+ON}" \
  "${launcher[@]}" --log-level=WARNING
cmake --build build
exec ctest --test-dir build --no-tests=error --output-on-failure -j "$(nproc)" "$@"
