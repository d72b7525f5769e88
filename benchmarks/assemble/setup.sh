#!/bin/sh
# Makes the environment of the assembly benchmark: the pinned peers beside promptc's own runtime (standard library only).
# Usage: setup.sh FOLDER; needs PROMPTC_SHARED for the lock files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
shared=${PROMPTC_SHARED:-$here/../../../shared}
target=${1:?folder of the environment}
[ -x "$target/bin/python" ] || "${PYTHON:-python3}" -m venv "$target"
"$target/bin/pip" install -q --disable-pip-version-check -r "$shared/bench/reqs/base.lock" -r "$shared/bench/reqs/minijinja.lock"
