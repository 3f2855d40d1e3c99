# Finding and installing what a bare machine lacks; gradlew and .ci/run read it, and run it in any POSIX shell.
# shellcheck shell=sh

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
may_install() { [ "${TENSORNIO_SETUP:-yes}" != no ]; }

# ---- Debian's packages ----------------------------------------------------------------------------

as_root=
updated=
can_apt() {
    may_install && have apt-get || return 1
    [ "$(id -u)" = 0 ] && return
    have sudo && sudo -n true 2>/dev/null && as_root='sudo -n'
}
update_packages() {     # the list of what there is
    can_apt || return 1
    [ -n "$updated" ] || { $as_root apt-get update -qq >&2 && updated=yes; }
}
apt() {     # apt PACKAGE...
    update_packages || return 1
    say "installing $*"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >&2
}
knows_package() { have apt-cache && apt-cache show "$1" >/dev/null 2>&1; }

# ---- Rust -----------------------------------------------------------------------------------------

# rustup's place comes first, even when the shell has not been started anew since rustup came.
use_rustup() {
    cargo_bin=${CARGO_HOME:-${HOME:-}/.cargo}/bin
    case "$PATH:" in "$cargo_bin:"*) ;; *) [ ! -x "$cargo_bin/cargo" ] || export PATH="$cargo_bin:$PATH" ;; esac
}
install_rustup() {
    may_install || return 1
    have curl || apt curl ca-certificates || return 1
    say "installing Rust with rustup into ${CARGO_HOME:-${HOME:-}/.cargo}"
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y -q --profile minimal --no-modify-path >&2
}
