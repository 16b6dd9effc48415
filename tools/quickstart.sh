#!/usr/bin/env bash
# caffempi's main job in one command: trains LeNet on MNIST's digits over two MPI ranks, tests it, plots the curves.
#
#     bash tools/quickstart.sh
#
# Does its own set-up (Python 3.10 or newer with venv is all that the machine needs), may be run again, and ends with
# the line `accuracy: 0.98...`; the exit code is not 0 where a step fails or the accuracy is below 0.975. What it makes
# is in run/quickstart.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup_env.sh plot

OUT=run/quickstart
SOLVER=solvers/lenet_quickstart.prototxt
NET=models/lenet/quickstart.prototxt
WEIGHTS=$OUT/lenet_iter_1000.caffemodel
LEAST=0.975

mkdir -p "$OUT"

say "digits: 8,000 to train, 2,000 to test"
python tools/make_mnist_lmdb.py data/mnist "$OUT"

say "training: mpirun -n 2 caffempi train --solver=$SOLVER"
rm -f "$WEIGHTS"                                               # so that a run that fails cannot be taken for an earlier one
mpirun -n 2 caffempi train --solver="$SOLVER" 2>&1 </dev/null | tee "$OUT/train.log"

say "testing: caffempi test --model=$NET --weights=$WEIGHTS --iterations=20"
caffempi test --model="$NET" --weights="$WEIGHTS" --iterations=20 2>&1 | tee "$OUT/test.log" | sed '/^Batch /d'
accuracy="$(sed -nE 's/^accuracy = ([0-9.e-]+)$/\1/p' "$OUT/test.log")"
[ -n "$accuracy" ] || fail "caffempi test printed no accuracy: see $OUT/test.log"

python tools/plot_log.py "$OUT/train.log" "$OUT/curve.png"

cat <<TEXT

The net is in $WEIGHTS, its curves in $OUT/curve.png, the log in $OUT/train.log.
What to try next (first: source .venv/bin/activate):
  another batch, rate or length    edit $SOLVER, then: caffempi train --solver=$SOLVER
  going on from the snapshot       caffempi train --solver=$SOLVER --snapshot=$OUT/lenet_iter_1000.solverstate
                                   (with a larger max_iter)
  where the time goes              caffempi time --model=$NET --train
  what is computed, step by step   caffempi plan $NET
  a net of your own                README.md, "Your first net"; other nets: models/, their recipes: solvers/
TEXT
echo "accuracy: $accuracy"
awk -v got="$accuracy" -v least="$LEAST" 'BEGIN { exit !(got >= least) }' || fail "the accuracy is below $LEAST"
