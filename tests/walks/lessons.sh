#!/usr/bin/env bash
# Goes through lessons in the real window, by real keys on a virtual display, and takes a picture of
# every step: to be looked at. Each lesson is told to its end by a clicker's keys; that it came there
# is read from the file that keeps the progress. Without names: all lessons.
# Each picture is taken so many seconds after its step stands there, 3 where nothing is said.
# With -s the pictures are of the window as a student has it, else as on a projector.
#   tests/walks/lessons.sh [-p PROGRAM] [-o FOLDER] [-r WIDTHxHEIGHT] [-z SCALE] [-t dark|light] [-w SECONDS] [-s] [LESSON...]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$root/build/tilescope out=walk size=1280x720 scale=1 theme=dark student= rest=3
while getopts "p:o:r:z:t:w:s" flag; do
  case $flag in
    p) program=$OPTARG ;;
    o) out=$OPTARG ;;
    r) size=$OPTARG ;;
    z) scale=$OPTARG ;;
    t) theme=$OPTARG ;;
    w) rest=$OPTARG ;;
    s) student=1 ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
lessons=("$@")
if [ ${#lessons[@]} = 0 ]; then
  for file in "$root"/assets/lessons/*.toml; do lessons+=("$(basename "$file" .toml)"); done
fi
mkdir -p "$out"
work=$(mktemp -d)
trap 'for id in ${window:-} ${display:-}; do kill "$id" 2>/dev/null || true; done; wait 2>/dev/null; rm -rf "$work"' EXIT

Xvfb -noreset -displayfd 3 -screen 0 "${size}x24" 3>"$work/display" 2>/dev/null &
display=$!
until [ -s "$work/display" ]; do sleep 0.1; done
export DISPLAY=:$(tr -d '\n' <"$work/display")
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data XDG_PICTURES_DIR=$work

mends() {
  awk -v n="$2" '/^\[\[step\]\]/ { ++i } i == n && /^mend = true/ { found = 1 } END { exit !found }' \
    "$root/assets/lessons/$1.toml"
}
steps_of() { grep -c '^\[\[step\]\]' "$root/assets/lessons/$1.toml"; }
passed() { sed -n '/^\[passed\]/,$p' "$XDG_STATE_HOME/tilescope/lessons.toml" | tr -d "'\" " | sed -n "s/^$1=//p"; }

# All others are done, so that the list goes on with this one.
prepare() {
  rm -rf "$XDG_STATE_HOME" && mkdir -p "$XDG_STATE_HOME/tilescope"
  {
    printf 'declined = true\n[passed]\n'
    for file in "$root"/assets/lessons/*.toml; do
      name=$(basename "$file" .toml)
      [ "$name" = "$1" ] || printf '%s = %s\n' "$name" "$(steps_of "$name")"
    done
  } >"$XDG_STATE_HOME/tilescope/lessons.toml"
  printf "tilescope_scene = 1\n[experiment]\nvariant = 'matmul/tiled'\nsize = [64, 64, 64]\n[view]\nwidth = %s\nheight = %s\nscale = %s\ntheme = '%s'\n" \
    "${size%x*}" "${size#*x}" "$scale.0" "$theme" >"$XDG_STATE_HOME/tilescope/last.toml"
}

# Where the window says that it is: "barriers 3 asked", "barriers 3 told".
stage() { grep -o '^lesson: .*' "$work/err" | tail -1; }
told() { # the last line of a kind is this, within so many seconds
  for _ in $(seq $(($3 * 5))); do
    [ "$(grep "^$1: " "$work/err" | tail -1)" = "$1: $2" ] && return 0 || sleep 0.2
  done
  return 1
}
says() { told lesson "$@"; }
stands_at() { [[ "$(stage)" == "lesson: $1 $2 "* ]]; }
# Presses a key, again where it was lost, until the window says that it stands so.
until_it_stands() {
  for _ in 1 2 3; do
    xdotool key "$1"
    told window "$2" 20 && return 0
  done
  echo "the window is not $2" >&2
  cat "$work/err" >&2
  return 1
}
is_past() { local so_far=$(passed "$1") && [ "${so_far:-0}" -ge "$2" ]; }

# What is seen; a clicker's keys are the presenter's, which a student doesn't see.
picture() {
  [ -z "$student" ] || { until_it_stands F5 ready && sleep 1; }
  import -window root "$1"
  [ -z "$student" ] || until_it_stands F5 presenting
}

walk() {
  local lesson=$1 count
  count=$(steps_of "$lesson")
  prepare "$lesson"
  "$program" --count-frames 2>"$work/err" &
  window=$!
  told window ready 60
  xdotool mousemove $((${size%x*} - 4)) $((${size#*x} - 4))
  until_it_stands shift+n choosing
  xdotool key shift+n
  until_it_stands F5 presenting
  for ((i = 1; i <= count; ++i)); do
    says "$lesson $i asked" 2 || says "$lesson $i told" 60 || says "$lesson $i asked" 1 || true
    sleep "$rest"  # what the step shows is traced
    picture "$out/$lesson-$i-asked.png"
    if [ "$(stage)" = "lesson: $lesson $i asked" ]; then
      xdotool key Next
      # A kernel that is to be repaired: mended by this, and is past with the next one.
      says "$lesson $i told" $(mends "$lesson" "$i" && echo 15 || echo 120) || true
      sleep "$rest"
      picture "$out/$lesson-$i-told.png"
    fi
    for _ in 1 2 3 4 5 6; do  # a key is pressed again only where the step still stands there
      xdotool key Next
      for _ in $(seq 50); do stands_at "$lesson" "$i" && sleep 0.2 || break 2; done
    done
    for _ in $(seq 50); do is_past "$lesson" "$i" && break || sleep 0.2; done
    if ! is_past "$lesson" "$i"; then
      echo "$lesson: step $i was not passed" >&2
      cat "$work/err" >&2
      return 1
    fi
  done
  xdotool key F5
  told window choosing 20  # the list comes at a lesson's end
  xdotool key q
  wait "$window" || { echo "$lesson: the window ended with an error" >&2; cat "$work/err" >&2; return 1; }
  window=
  echo "$lesson: $count steps"
}

for lesson in "${lessons[@]}"; do walk "$lesson"; done
