#!/bin/sh
# Installs a built distribution into an empty environment, away from the sources, and tries it there.
# usage: sh tests/smoke.sh PYTHON DISTRIBUTION
set -eu
file=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" -m venv "$folder/env"
cd "$folder"
env/bin/python -m pip install -q --disable-pip-version-check "$file[plot]"
env/bin/panshuffle calibrate binomial --at-eps 1 --at-delta 1e-6 --certificate coins.json | grep -qx 'l = 80'
env/bin/python -m panshuffle.exact.check coins.json > /dev/null
env/bin/panshuffle verify hash-collisions | grep -q repaired
env/bin/panshuffle curve binomial --l 80 --to 1 --points 3 -o curve.svg > /dev/null && test -s curve.svg
env/bin/panshuffle doctor | grep -q '^ok .*the core'
printf '\\begin{lemma} x' > paper.tex
! env/bin/panshuffle annotate paper.tex -o out.html 2> said && grep -q 'never closed' said
mkdir exact protocols symbolic proofs crosscheck && touch exact/__init__.py protocols/__init__.py crosscheck/__init__.py
env/bin/python -c 'import exact, panshuffle; assert panshuffle.protocol("binomial", l=20).privacy(at_exp_eps=2).exact == "4265/262144"'
env/bin/panshuffle sample binary-sum --n 6 --p 1/3 --ones 2 --runs 3000 --seed 1 -o runs.jsonl > /dev/null
env/bin/panshuffle crosscheck binary-sum --n 6 --p 1/3 --ones 2 --samples runs.jsonl | grep -q '^consistent'
test "$(env/bin/python -c 'from importlib.metadata import files; print({f.parts[0] for f in files("panshuffle") if ".dist-info" not in f.parts[0] and f.parts[0] != ".."})')" = "{'panshuffle'}"
echo "$(basename "$file"): installs and works"
