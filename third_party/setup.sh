# Sourced by ./run, ./test and .ci/run: installs what is missing and configures a build.

# install_packages LIST: the packages named in a file, where one is missing. A stamp in the build
# folder makes the check free once it has passed for this list.
install_packages() {
  local list=$1 stamp wanted missing sudo=
  stamp=$root/build/.installed-$(cksum <"$list" | tr ' ' '-')
  [ -e "$stamp" ] && return
  wanted=$(sed 's/#.*//' "$list")
  missing=$(for package in $wanted; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      echo "$package"
  done)
  if [ -n "$missing" ]; then
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "tilescope: installing" $missing >&2
    $sudo apt-get update -qq >&2
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      $missing >&2
  fi
  mkdir -p "$root/build"
  touch "$stamp"
}

# build PRESET FOLDER TARGET...
build() {
  local preset=$1 folder=$root/$2
  shift 2
  [ -e "$folder/build.ninja" ] || (cd "$root" && cmake --preset "$preset" >&2)
  # Ninja tells of nothing to do even under --quiet. Its status counts: the callers set pipefail.
  ninja -C "$folder" --quiet "$@" | { grep -v '^ninja: no work to do\.$' >&2 || true; }
}
