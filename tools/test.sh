#!/usr/bin/env bash
# Every check of the project: ruff, mypy, the tests.
#
#     bash tools/test.sh [--full] [arguments of pytest]
#
# Does its own set-up and may be run again. --full: the slow tests too. All checks run, whatever the ones before them
# say; what was skipped, and why, is printed at the end. Exit code 0: all passed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup_env.sh test

select=(-m "not slow")
arguments=()
for argument in "$@"; do
    if [ "$argument" = --full ]; then select=(); else arguments+=("$argument"); fi
done

# The tests run CUDA kernels' texts on the host. Zig's wheel, about 100 MB, holds a C++ compiler.
if [ -z "${CXX:-}" ] && ! { command -v c++ || command -v g++ || command -v clang++; } >/dev/null; then
    if ! python -c 'import ziglang' 2>/dev/null; then
        say "no C++ compiler here: installing that of the package ziglang"
        (pip_install 'ziglang>=0.17,<0.18') || say "it could not be installed: the tests that need a compiler are skipped"
    fi
    if python -c 'import ziglang' 2>/dev/null; then export CXX="'$VENV/bin/python' -m ziglang c++"; fi
fi

# cuDNN plans convolutions where no GPU is, too. Its wheels and those that they ask for take 1.6 GB: CAFFEMPI_TEST_CUDNN=0 does
# without them, and so do runs with arguments.
if [ ${#arguments[@]} -eq 0 ] && [ "${CAFFEMPI_TEST_CUDNN:-1}" != 0 ] && [ "$(uname -sm)" = "Linux x86_64" ] &&
    ! python -c 'import sys, importlib.util as i; sys.exit(i.find_spec("cudnn") is None)'; then
    say "installing cuDNN, so that convolutions are planned for GPUs (CAFFEMPI_TEST_CUDNN=0 leaves it out)"
    (pip_install --editable ".[test-gpu-plan]") || say "it could not be installed: those tests are skipped"
fi

# The whole suite runs in as many processes as there are cores, at most four. Each begins with a stretch of the tests, in
# their order, since those of one file share what is costly to make, and takes over a part of another's when it has done
# its own. With arguments, in one: debuggers and -x need that.
spread=()
cores="$(nproc 2>/dev/null || echo 1)"
if [ ${#arguments[@]} -eq 0 ] && [ "$cores" -gt 1 ]; then spread=(-n "$((cores < 4 ? cores : 4))" --dist worksteal); fi

# The tests start Python some hundred times: the package's modules are to be compiled once.
unset PYTHONDONTWRITEBYTECODE

# One thread a process: sums keep their order on every machine, and ranks share the cores.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
failed=()
run() {
    local name="$1"
    shift
    say "$name"
    "$@" </dev/null || failed+=("$name")
}

began=$SECONDS
run ruff ruff check .
run mypy mypy
report="$(mktemp)"
trap 'rm -f "$report"' EXIT
say pytest
status=0
python -m pytest ${select[@]+"${select[@]}"} ${spread[@]+"${spread[@]}"} -rfEs --color=no ${arguments[@]+"${arguments[@]}"} </dev/null 2>&1 |
    tee "$report" || status=$?
[ "$status" -eq 0 ] || failed+=("pytest")

say "summary"
sed -nE 's/^SKIPPED (.*)$/skipped: \1/p' "$report"
[ ${#select[@]} -eq 0 ] || echo "skipped: slow tests (run: bash tools/test.sh --full)"
took=$((SECONDS - began))
if [ ${#failed[@]} -gt 0 ]; then
    echo "FAILED: ${failed[*]} (in $((took / 60)) min $((took % 60)) s)"
else
    echo "ruff, mypy and pytest passed (in $((took / 60)) min $((took % 60)) s)"
fi
tail -n 1 "$report"                                            # pytest's own count, last of all
[ ${#failed[@]} -eq 0 ]
