#!/bin/sh
# Runs Gradle on this project, and first brings what a bare machine lacks: a JDK, Rust, Gradle.
#
# Gradle is the first to be had of: $GRADLE, the distribution that gradle/wrapper pins (checked by SHA-256), the `gradle`
# on the PATH (4.4.1 and later), the system's package. IDEs read gradle/wrapper by themselves.
# TENSORNIO_SETUP=no: install and download none of these, say what is missing instead. Gradle and Cargo fetch what the build depends on.
set -eu

home=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
cd "$home"
least_jdk=17
least_rust=$(sed -n 's/^rust-version = "1\.\([0-9]*\)"/\1/p' Cargo.toml)

say() { printf 'gradlew: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
may_install() { [ "${TENSORNIO_SETUP:-yes}" != no ]; }

# ---- installing -----------------------------------------------------------------------------------

as_root=
updated=
can_apt() {
    may_install && have apt-get || return 1
    [ "$(id -u)" = 0 ] && return
    have sudo && sudo -n true 2>/dev/null && as_root='sudo -n'
}
apt() {     # apt PACKAGE...
    say "installing $*"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >&2
}
apt_update() {
    [ -n "$updated" ] || $as_root apt-get update -qq >&2 && updated=yes
}
rustup() {
    say "installing Rust with rustup into ${CARGO_HOME:-$HOME/.cargo}"
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y -q --profile minimal --no-modify-path >&2
}

# ---- what is there --------------------------------------------------------------------------------

major_of() {    # the major version of the JDK in $1
    version=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$1/release" 2>/dev/null) || version=
    [ -n "$version" ] || version=$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac \(1\.\)\{0,1\}\([0-9]*\).*/\2/p')
    echo "${version:-0}"
}
find_jdk() {    # find_jdk [NEWEST]: the first JDK, not only a JRE, that will do becomes JAVA_HOME
    on_path=
    if have javac; then
        javac=$(readlink -f "$(command -v javac)")
        on_path=${javac%/bin/javac}
    fi
    for jdk in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*; do
        [ -n "$jdk" ] || continue
        [ -x "$jdk/bin/javac" ] || continue
        major=$(major_of "$jdk")
        if [ "$major" -lt "$least_jdk" ] || [ "$major" -gt "${1:-999}" ]; then continue; fi
        export JAVA_HOME="$jdk"
        return
    done
    return 1
}
find_cargo() {
    # rustup's place, even when the shell has not been started anew since rustup came.
    cargo_bin=${CARGO_HOME:-${HOME:-}/.cargo}/bin
    case ":$PATH:" in *":$cargo_bin:"*) ;; *) [ ! -x "$cargo_bin/cargo" ] || export PATH="$cargo_bin:$PATH" ;; esac
    version=$(cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\).*/\1/p') || version=
    [ "${version:-0}" -ge "$least_rust" ]
}

# Sets `missing`, for people, and `packages`, for apt (Debian 12's plain rustc is too old; rustc-web follows the current release).
look() {
    missing=
    packages=
    find_jdk || { missing=", a JDK $least_jdk or later"; packages=' default-jdk-headless'; }
    find_cargo || { missing="$missing, Rust 1.$least_rust or later"; packages="$packages $rust_packages"; }
    have cc || { missing="$missing, a C linker"; packages="$packages gcc libc6-dev"; }
    [ -z "$missing" ]
}

rust_packages='rustc-web cargo-web'
if ! look; then
    if can_apt && apt_update; then
        apt-cache show cargo-web >/dev/null 2>&1 || rust_packages='rustc cargo'
        look || {
            # shellcheck disable=SC2086     # a list of words
            apt $packages || :
            find_jdk || apt "openjdk-$least_jdk-jdk-headless" || :
        }
    fi
    find_cargo || ! may_install || ! have curl || rustup || :
    look || die "this needs${missing#,}; on Debian, as root: apt-get install$packages"
fi

# ---- Gradle ---------------------------------------------------------------------------------------

wrapper() { "$JAVA_HOME/bin/java" -classpath gradle/wrapper/gradle-wrapper.jar org.gradle.wrapper.GradleWrapperMain "$@"; }

distribution=$(sed -n 's|^distributionUrl=.*/\(.*\)\.zip$|\1|p' gradle/wrapper/gradle-wrapper.properties)
have_distribution() {
    for mark in "${GRADLE_USER_HOME:-${HOME:-}/.gradle}/wrapper/dists/$distribution"/*/"$distribution.zip.ok"; do
        [ ! -f "$mark" ] || return 0
    done
    return 1
}
# Without a network this fails within seconds, and is not tried again on the same day.
fetch_distribution() {
    failed=.gradle/no-$distribution
    today=$(date +%F)
    may_install && [ "$(cat "$failed" 2>/dev/null)" != "$today" ] || return 1
    mkdir -p .gradle
    if wrapper --version >&2 2>"$failed.log"; then
        rm -f "$failed" "$failed.log"
        return
    fi
    say "could not download $distribution ($(sed -n 's/^Exception in thread "main" //p' "$failed.log" | head -n 1)); trying another Gradle"
    echo "$today" >"$failed"
    return 1
}

# Debian's 4.4.1 does not know the newest JDKs, and on JDK 17 its daemon would keep the environment that it was started with.
run() {     # run GRADLE ARGUMENT...
    gradle=$1
    shift
    if [ -e "$(dirname "$(readlink -f "$(command -v "$gradle")")")/../lib/gradle-launcher-4.4.1.jar" ]; then
        find_jdk 21 || { can_apt && apt_update && apt default-jdk-headless && find_jdk 21; } ||
            die "Gradle 4.4.1 needs JDK 17 to 21; on Debian, as root: apt-get install default-jdk-headless"
        set -- --no-daemon "$@"
    fi
    exec "$gradle" "$@"
}

if [ -n "${GRADLE:-}" ]; then run "$GRADLE" "$@"; fi
if have_distribution || fetch_distribution; then
    exec "$JAVA_HOME/bin/java" -classpath gradle/wrapper/gradle-wrapper.jar org.gradle.wrapper.GradleWrapperMain "$@"
fi
have gradle || { can_apt && apt_update && apt gradle && have gradle; } ||
    die "this needs Gradle: let gradle/wrapper download $distribution, or, on Debian, as root: apt-get install gradle"
run gradle "$@"
