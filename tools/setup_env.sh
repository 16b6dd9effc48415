# Makes or updates the Python environment .venv in the project's root and puts it first on the PATH.
#
#     source tools/setup_env.sh plot|test
#
# The argument is the extra of pyproject.toml that is wanted beside the package itself. Nothing is done, and no network
# is needed, where pyproject.toml is still the one that the environment was made from. PYTHON=/path/to/python chooses
# the interpreter for a new environment. To be sourced by bash with `set -euo pipefail`.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
VENV="$ROOT/.venv"

say() { printf '== %s\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Prints the first interpreter that is 3.10 or newer and can make an environment. A command that exists need not run:
# pyenv leaves scripts for versions that are not chosen.
find_python() {
    local candidate path seen="" bare=""
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python3.10 python; do
        path="$(command -v "$candidate")" || continue
        if ! "$path" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then
            seen="$seen $path"
        elif ! "$path" -c 'import ensurepip, venv' >/dev/null 2>&1; then
            bare="${bare:-$path}"
        else
            printf '%s\n' "$path"
            return
        fi
    done
    if [ -n "$bare" ]; then
        local version
        version="$("$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
        fail "$bare (Python $version) cannot make environments: its modules venv and ensurepip are missing; install them (Debian, Ubuntu: apt-get install python3-venv, or python$version-venv)"
    fi
    fail "Python 3.10 or newer is needed${seen:+ (too old or not working:$seen)}; install it, or name it: PYTHON=/path/to/python3"
}

# Quiet where all is well; the whole log where not.
pip_install() {
    local log="$VENV/setup.log"
    if ! "$VENV/bin/python" -m pip install --no-input --disable-pip-version-check "$@" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        fail "pip could not install $* (whole log: $log); the first set-up needs a package index"
    fi
}

# Whether the environment's interpreter and pip work, and are those of this place: scripts in a moved or copied
# environment, and in one whose Python was taken away, point elsewhere.
is_sound() {
    local by_module by_script
    by_module="$("$VENV/bin/python" -m pip --version 2>/dev/null)" || return 1
    by_script="$("$VENV/bin/pip" --version 2>/dev/null)" || return 1
    [ "$by_module" = "$by_script" ]
}

setup_env() {
    local extra="$1" mark stamp
    mark="$ROOT $(cksum <"$ROOT/pyproject.toml")"              # a moved environment is stale
    stamp="$VENV/.made-$extra"
    # What the test extra installs is all that the quickstart needs.
    if [ "$extra" = plot ] && [ "$(cat "$VENV/.made-test" 2>/dev/null)" = "$mark" ]; then stamp="$VENV/.made-test"; fi
    if [ "$(cat "$stamp" 2>/dev/null)" = "$mark" ] && "$VENV/bin/python" -c 'import caffempi' >/dev/null 2>&1; then
        return
    fi
    if ! is_sound; then
        local python
        python="$(find_python)"
        say "making $VENV with $("$python" --version 2>&1) ($python)"
        "$python" -m venv --clear "$VENV" || fail "$python could not make the environment $VENV"
    fi
    say "installing caffempi with the extra '$extra' (the first time takes a minute or two)"
    pip_install --upgrade 'pip>=24'
    pip_install --editable "$ROOT[$extra]"
    printf '%s\n' "$mark" >"$stamp"
}

# One machine, as root or not: Open MPI starts no process for root unless told to, and neither counts slots nor binds
# processes to cores here, so that any number of ranks runs on any number of cores. Set in the environment rather than
# on mpirun's command line, so that `mpirun -n 2 ...` is all that a user has to type.
setup_mpi() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export PRTE_MCA_rmaps_default_mapping_policy="${PRTE_MCA_rmaps_default_mapping_policy:-:OVERSUBSCRIBE}"
    export PRTE_MCA_hwloc_default_binding_policy="${PRTE_MCA_hwloc_default_binding_policy:-none}"
    export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}"
    export HOME="${HOME:-/tmp}"                                # Open MPI does not start without
}

export PIP_ROOT_USER_ACTION=ignore PIP_USER=0
export MPLCONFIGDIR="${MPLCONFIGDIR:-$VENV/.matplotlib}"       # matplotlib wants a folder that it may write to
unset PYTHONHOME PYTHONPATH                                    # packages of other environments
setup_env "$1"
setup_mpi
export PATH="$VENV/bin:$PATH" VIRTUAL_ENV="$VENV"
