#!/bin/sh
# Installs the Debian packages that are missing to build and use prefixfs, and with `--tests` those
# that its tests need besides.  This is the only list of them.
set -eu

build='g++ cmake ninja-build pkg-config libsqlite3-dev libfuse3-dev libspdlog-dev
  libfmt-dev libcli11-dev nlohmann-json3-dev fuse3'
tests='libgtest-dev libbenchmark-dev sqlite3 jq git attr acl procps'

packages=$build
if [ "${1:-}" = --tests ]; then packages="$build $tests"; fi

if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: needed, under whatever names, are" $packages >&2
  exit 0
fi
missing=
for package in $packages; do
  case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
    *' ok installed') ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ]; then
  echo "missing, and only root can install them:$missing" >&2
  exit 1
fi
echo "installing$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
# shellcheck disable=SC2086  # one word for each package
apt-get -q install -y --no-install-recommends $missing
