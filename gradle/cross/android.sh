# shellcheck shell=bash
# What linking for Android needs of the NDK: its own, where ANDROID_NDK_HOME says where it is; else what stands for it. gradle/cross/build reads this.
#
# Of the system's libraries a linker needs the names: `android/symbols` has those that Android has at API level 21, and the library may use no other.
# The unwinder, which Android's libraries bring themselves, is the one that Zig has the source of, compiled against the few declarations of the C
# library that it needs, in `android/include`.
android_level=21

# android_ndk TRIPLE: the compiler of the NDK that links for it.
android_ndk() {
    [ -n "${ANDROID_NDK_HOME:-}" ] || return
    local clang=("$ANDROID_NDK_HOME"/toolchains/llvm/prebuilt/*/bin/"${1/armv7-/armv7a-}$android_level-clang")
    [ -x "${clang[0]}" ] || die "ANDROID_NDK_HOME=$ANDROID_NDK_HOME has no ${clang[0]##*/}"
    echo "${clang[0]}"
}

# android_libraries TRIPLE FOLDER: puts libunwind.a and libraries of names there. Needs Zig, in CARGO_ZIGBUILD_ZIG_PATH.
android_libraries() {
    local triple=$1 folder=$2 here zig target cpu=() unwinder source library lld
    here=$root/gradle/cross/android
    zig=$CARGO_ZIGBUILD_ZIG_PATH
    unwinder=$(dirname "$zig")/lib/libunwind
    case $triple in
        aarch64-*) target=aarch64-linux-android ;;
        armv7-*) target=arm-linux-androideabi cpu=(-mcpu=generic+v7a) ;;       # not Thumb: unwinding crashed there
        i686-*) target=x86-linux-android ;;
        x86_64-*) target=x86_64-linux-android ;;
    esac
    mkdir -p "$folder"
    local flags=(-target "$target" "${cpu[@]}" -nostdlibinc "-I$here/include" "-I$unwinder/include" "-I$unwinder/src" -D__ANDROID__ -D__BIONIC__
        -D_LIBUNWIND_IS_NATIVE_ONLY -D_LIBUNWIND_HIDE_SYMBOLS -DNDEBUG -O2 -g0 -fPIC -fvisibility=hidden -ffunction-sections -funwind-tables
        -fno-stack-protector -fno-sanitize=all "-ffile-prefix-map=$unwinder=libunwind")
    local cpp=(-std=c++17 -nostdinc++ -fno-exceptions -fno-rtti) objects=()
    local sources=(libunwind.cpp UnwindLevel1.c UnwindLevel1-gcc-ext.c UnwindRegistersSave.S UnwindRegistersRestore.S)
    case $triple in armv7-*) sources+=(Unwind-EHABI.cpp) ;; esac
    for source in "${sources[@]}"; do
        local object=$folder/$source.o
        case $source in
            *.cpp) "$zig" c++ "${flags[@]}" "${cpp[@]}" -c "$unwinder/src/$source" -o "$object" ;;
            *.c) "$zig" cc "${flags[@]}" -std=c11 -fexceptions -c "$unwinder/src/$source" -o "$object" ;;
            *.S) "$zig" cc "${flags[@]}" -c "$unwinder/src/$source" -o "$object" ;;
        esac
        objects+=("$object")
    done
    rm -f "$folder/libunwind.a"
    "$zig" ar rcsD "$folder/libunwind.a" "${objects[@]}"
    lld=$(find "$(rustc --print sysroot)/lib/rustlib" -name rust-lld | head -n 1)
    for library in c dl m log; do
        # Lines of `symbols`: a library, perhaps the beginning of the triples that have it, and names.
        awk -v library="lib$library" -v triple="$triple" '
            /^#/ { next }
            { split($1, of, "/"); if (of[1] == library && (of[2] == "" || index(triple, of[2]) == 1))
                for (i = 2; i <= NF; i++) printf ".globl %s; .type %s,%%function; %s:\n", $i, $i, $i }' "$here/symbols" >"$folder/$library.s"
        "$zig" cc -target "$target" "${cpu[@]}" -c "$folder/$library.s" -o "$folder/$library.o"
        "$lld" -flavor gnu -shared -soname "lib$library.so" -o "$folder/lib$library.so" "$folder/$library.o"
    done
}
