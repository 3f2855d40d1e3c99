#!/bin/sh
# Runs Gradle on this project, and first brings what a bare machine lacks: a JDK, Rust, Gradle.
#
# Gradle is the first to be had of: $GRADLE, the distribution that gradle/wrapper pins (checked by SHA-256), the `gradle`
# on the PATH (4.4.1 and later), the system's package. IDEs read gradle/wrapper by themselves.
# TENSORNIO_SETUP=no: install and download none of these, say what is missing instead. Gradle and Cargo fetch what the build depends on.
set -eu

home=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
cd "$home"
. gradle/setup.sh

# Without a locale a JVM before 18 takes file names for ASCII.
[ "$(uname)" != Linux ] || [ -n "${LC_ALL:-}${LC_CTYPE:-}${LANG:-}" ] || export LC_ALL=C.UTF-8

# ---- what is there --------------------------------------------------------------------------------

least_jdk=17
newest_jdk=25       # that the pinned Gradle runs on
jdk_range="$least_jdk to $newest_jdk"
if [ -n "${GRADLE:-}" ]; then newest_jdk=999 jdk_range="$least_jdk or later"; fi
least_rust=$(sed -n 's/^rust-version = "1\.\([0-9]*\)"/\1/p' Cargo.toml)

major_of() {    # the major version of the JDK in $1
    version=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$1/release" 2>/dev/null) || version=
    [ -n "$version" ] || version=$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac \(1\.\)\{0,1\}\([0-9]*\).*/\2/p')
    echo "${version:-0}"
}
find_jdk() {    # find_jdk NEWEST: the first JDK, not only a JRE, that will do becomes JAVA_HOME
    on_path=
    if have javac; then
        javac=$(readlink -f "$(command -v javac)" 2>/dev/null) || javac=
        on_path=${javac%/bin/javac}
    fi
    for jdk in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        if [ -z "$jdk" ] || [ "$jdk" = /usr ]; then continue; fi        # macOS has no JDK in /usr, but a javac that asks for one
        [ -x "$jdk/bin/javac" ] || continue
        major=$(major_of "$jdk")
        if [ "$major" -lt "$least_jdk" ] || [ "$major" -gt "$1" ]; then continue; fi
        export JAVA_HOME="$jdk"
        return
    done
    return 1
}
find_cargo() {
    use_rustup
    version=$(cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\).*/\1/p') || version=
    [ "${version:-0}" -ge "$least_rust" ]
}

# Sets `missing`, for people, and `packages`, for apt: of Rust only what is new enough. Debian 12's plain rustc is too old, and rustc-web, which
# follows a current release, may be. A Rust that is not used would only take room.
look() {
    missing=
    packages=
    find_jdk "$newest_jdk" || { missing=", a JDK $jdk_range"; packages=' default-jdk-headless'; }
    find_cargo || {
        missing="$missing, Rust 1.$least_rust or later (https://rustup.rs)"
        for suffix in -web ''; do
            if [ "$(packaged_rust "rustc$suffix")" -ge "$least_rust" ]; then
                packages="$packages rustc$suffix cargo$suffix"
                break
            fi
        done
    }
    have cc || { missing="$missing, a C linker"; packages="$packages gcc libc6-dev"; }
    [ -z "$missing" ]
}
with_apt() { if have apt-get && [ -n "$1" ]; then echo "; as root: apt-get install$1"; fi; }

if ! look; then
    # Which packages there are shows in a fresh list alone.
    # shellcheck disable=SC2086     # a list of words
    if update_packages && ! look && [ -n "$packages" ]; then apt $packages || :; fi
    find_jdk "$newest_jdk" || apt "openjdk-$least_jdk-jdk-headless" || :
    ! find_jdk "$newest_jdk" || find_cargo || install_rustup || :
    look || die "this needs${missing#,}$(with_apt "$packages")"
fi

# ---- Gradle ---------------------------------------------------------------------------------------

# shellcheck disable=SC2086     # lists of options
wrapper() {     # wrapper exec|command ARGUMENT...
    how=$1
    shift
    "$how" "$JAVA_HOME/bin/java" ${JAVA_OPTS:-} ${GRADLE_OPTS:-} \
        -classpath gradle/wrapper/gradle-wrapper.jar org.gradle.wrapper.GradleWrapperMain "$@"
}

distribution=$(sed -n 's|^distributionUrl=.*/\(.*\)\.zip$|\1|p' gradle/wrapper/gradle-wrapper.properties)
have_distribution() {
    for mark in "${GRADLE_USER_HOME:-${HOME:-}/.gradle}/wrapper/dists/$distribution"/*/"$distribution.zip.ok"; do
        [ ! -f "$mark" ] || return 0
    done
    return 1
}
# Without a network this fails within seconds. Where there is another Gradle it is not tried again on the same day.
fetch_distribution() {
    failed=.gradle/no-$distribution
    today=$(date +%F)
    may_install || return 1
    if have gradle && [ "$(cat "$failed" 2>/dev/null)" = "$today" ]; then return 1; fi
    mkdir -p .gradle
    if wrapper command --version >&2 2>"$failed.log"; then
        rm -f "$failed" "$failed.log"
        return
    fi
    say "could not download $distribution ($(sed -n 's/^Exception in thread "main" //p' "$failed.log" | head -n 1));" \
        "trying another Gradle, and this one tomorrow or when $failed is removed"
    echo "$today" >"$failed"
    return 1
}

# Debian's 4.4.1 does not know the newest JDKs, and on JDK 17 its daemon would keep the environment that it was started with.
run() {     # run GRADLE ARGUMENT...
    gradle=$1
    shift
    if [ -e "$(dirname "$(readlink -f "$(command -v "$gradle")")")/../lib/gradle-launcher-4.4.1.jar" ]; then
        find_jdk 21 || { apt default-jdk-headless && find_jdk 21; } ||
            die "Gradle 4.4.1 needs a JDK $least_jdk to 21$(with_apt ' default-jdk-headless')"
        set -- --no-daemon "$@"
    fi
    exec "$gradle" "$@"
}

if [ -n "${GRADLE:-}" ]; then run "$GRADLE" "$@"; fi
if have_distribution || fetch_distribution; then
    wrapper exec "$@"
fi
have gradle || { apt gradle && have gradle; } || die "this needs Gradle: let gradle/wrapper download $distribution$(with_apt ' gradle')"
run gradle "$@"
