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
# The minor version of Rust 1.N of the package that apt-get would install; 0 if there is none.
packaged_rust() {
    have apt-cache || { echo 0; return; }
    minor=$(apt-cache --no-all-versions show "$1" 2>/dev/null | sed -n 's/^Version: \([0-9]*:\)\{0,1\}1\.\([0-9]*\)\..*/\2/p' | head -n 1) || minor=
    echo "${minor:-0}"
}

# ---- Rust -----------------------------------------------------------------------------------------

# rustup's place comes first, even when the shell has not been started anew since rustup came.
use_rustup() {
    cargo_bin=${CARGO_HOME:-${HOME:-}/.cargo}/bin
    case "$PATH:" in "$cargo_bin:"*) ;; *) [ ! -x "$cargo_bin/cargo" ] || export PATH="$cargo_bin:$PATH" ;; esac
}
# What Rust calls this machine, if rustup-init is there for it and the kernel's word is enough to tell; else nothing.
rust_host() {
    case "$(uname -s) $(uname -m)" in
        'Linux x86_64' | 'Linux aarch64')
            # A 64-bit kernel may run a 32-bit system.
            [ "$(getconf LONG_BIT 2>/dev/null || echo 64)" = 64 ] || return 0
            if ldd --version 2>&1 | grep -q musl; then libc=musl; else libc=gnu; fi
            echo "$(uname -m)-unknown-linux-$libc" ;;
        'Darwin x86_64') echo x86_64-apple-darwin ;;
        'Darwin arm64') echo aarch64-apple-darwin ;;
    esac
}
sha256_of() { if have sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi | sed 's/ .*//'; }
# Where the default host is asked, nothing less than HTTPS; another one's owner has chosen its protocol.
fetch() {   # fetch URL: to the standard output
    case "$1" in
        https:*) curl --proto '=https' --tlsv1.2 -sSfL "$1" ;;
        *) curl -sSfL "$1" ;;
    esac
}
# rustup's installer, in the folder $1, from where rustup will fetch the toolchains: a network that has these has it, too.
fetch_rustup_init() {
    triple=$(rust_host)
    [ -n "$triple" ] || return 1
    init=${RUSTUP_UPDATE_ROOT:-${RUSTUP_DIST_SERVER:-https://static.rust-lang.org}/rustup}/dist/$triple/rustup-init
    fetch "$init" >"$1/rustup-init" && wanted=$(fetch "$init.sha256" | sed 's/[^0-9a-f].*//') || return 1
    if [ -z "$wanted" ] || [ "$(sha256_of "$1/rustup-init")" != "$wanted" ]; then
        say "$init is not what its .sha256 says"
        return 1
    fi
    chmod +x "$1/rustup-init"
}
install_rustup() {
    may_install || return 1
    have curl || apt curl ca-certificates || return 1
    say "installing Rust with rustup into ${CARGO_HOME:-${HOME:-}/.cargo}"
    draft=$(mktemp -d) || return 1
    set -- -y -q --profile minimal --no-modify-path
    if fetch_rustup_init "$draft" && "$draft/rustup-init" "$@" >&2; then
        installed=0
    elif fetch https://sh.rustup.rs >"$draft/rustup.sh" && sh "$draft/rustup.sh" "$@" >&2; then
        installed=0
    else
        installed=1
    fi
    rm -rf "$draft"
    return "$installed"
}
