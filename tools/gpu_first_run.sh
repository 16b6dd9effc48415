#!/usr/bin/env bash
# The first run on a GPU, in 8 minutes at most: what is installed, the tests that are marked gpu, the bench.
#
#     bash tools/gpu_first_run.sh [FOLDER]
#
# Writes into the folder (default: run/gpu) device_query.txt, tests.txt, bench.md and bench.json. PYTHON: the interpreter that
# has caffempi, CuPy, cuDNN and its frontend (default: python); with PyTorch there too, the bench compares with it. Exit code 0:
# the tests passed and the bench ran.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PYTHONPATH="$PWD"

out="${1:-run/gpu}" python="${PYTHON:-python}"
total=480 tests=240 spare=20                                   # seconds: in all, for the tests, to end in
mkdir -p "$out"
failed=0

"$python" -m caffempi device_query 2>&1 </dev/null | tee "$out/device_query.txt"
reason="$("$python" -c 'from tests.helpers.cuda.chosen import missing; print(missing() or "")')" || exit 1
if [ -n "$reason" ]; then
    echo "gpu_first_run: $reason" >&2
    exit 1
fi

echo "== tests on the GPU"
timeout "$tests" "$python" -m pytest -m "gpu and not slow" -rfEs --color=no </dev/null 2>&1 | tee "$out/tests.txt" || failed=1

left=$((total - SECONDS - spare))
echo "== bench, $left seconds"
alone=(--alone)
if "$python" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then alone=(); fi
minutes="$(awk -v s=$((left - 60)) 'BEGIN { printf "%.1f", s > 0 ? s / 60 : 0 }')"   # what is begun may take a minute
timeout "$left" "$python" tools/bench_gpu.py resnet50 alexnet --batch 32 128 --count 10 --steps --within "$minutes" \
    ${alone[@]+"${alone[@]}"} --json "$out/bench.json" </dev/null | tee "$out/bench.md" || failed=1
echo "== $SECONDS seconds; all of it is in $out"
exit "$failed"
