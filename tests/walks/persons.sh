#!/usr/bin/env bash
# Three persons in the real window, by real keys and clicks on a virtual display, with the time that each
# needs: a student to the first race and both its lines; somebody who edits a kernel, from the first key
# to the verdict; a teacher who opens a file, saves a scene and opens it again. Prints seconds, and takes a
# picture of each: to be looked at.
#   tests/walks/persons.sh [-p PROGRAM] [-o FOLDER]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$root/build/tilescope out=walk
while getopts "p:o:" flag; do
  case $flag in
    p) program=$OPTARG ;;
    o) out=$OPTARG ;;
    *) exit 2 ;;
  esac
done
mkdir -p "$out"
work=$(mktemp -d)
trap 'for id in ${window:-} ${display:-}; do kill "$id" 2>/dev/null || true; done; wait 2>/dev/null; rm -rf "$work"' EXIT

Xvfb -noreset -displayfd 3 -screen 0 1280x800x24 3>"$work/display" 2>/dev/null &
display=$!
until [ -s "$work/display" ]; do sleep 0.1; done
export DISPLAY=:$(tr -d '\n' <"$work/display")
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data XDG_PICTURES_DIR=$work
last=$work/state/tilescope/last.toml

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }
begin() { # the window, on what is named
  "$program" "$@" 2>"$work/err" &
  window=$!
  for _ in $(seq 600); do xdotool search --name Tilescope >/dev/null 2>&1 && break || sleep 0.1; done
  xdotool mousemove 600 300
}
end() {
  xdotool key q
  sleep 1
  kill -0 "$window" 2>/dev/null && xdotool key q || true # unsaved text is asked about once
  wait "$window" || { cat "$work/err" >&2; exit 1; }
  window=
}
# Until a command succeeds; says so where it never does.
until_true() {
  local what=$1
  shift
  for _ in $(seq 1200); do "$@" && return 0 || sleep 0.1; done
  import -window root "$out/$what-missing.png"
  echo "$what: did not happen" >&2
  cat "$work/err" >&2
  exit 1
}
kept() { grep -qF "$1" "$last" 2>/dev/null; }
# The badge's edge is a race's colour.
racy() {
  import -window root -crop 240x40+1020+4 "$work/badge.png"
  [ "$(convert "$work/badge.png" -depth 8 txt:- | grep -ci d55e00)" -gt 50 ]
}

start=$(now)
begin
until_true offer test -e "$last"
xdotool mousemove 748 538 click 1 # "Begin"
sleep 1
xdotool mousemove 100 285 click 1 # the first answer
seen() { kept "finding = 0" && racy; }
until_true race seen
echo "student: from the start to the first race and both its lines: $(since "$start") s, 2 clicks"
sleep 1
import -window root "$out/student.png"
end

rm -rf "$work/state"
mkdir -p "$work/state/tilescope"
printf 'declined = true\n' >"$work/state/tilescope/lessons.toml"
printf "tilescope_scene = 1\n[experiment]\nvariant = 'matmul/tiled'\nsize = [64, 64, 64]\n" >"$last"
begin
sleep 4
start=$(now)
xdotool key slash
sleep 0.3
xdotool type --delay 20 'barrier();'
xdotool key Return Escape Left
xdotool type --delay 20 '//'
until_true verdict racy
echo "kernel writer: from the first key to the verdict: $(since "$start") s"
xdotool key Escape Escape shift+t
sleep 12
import -window root "$out/writer.png"
end

cp "$root/shaders/transpose/tiled.comp" "$work/mine.comp"
cp "$root"/shaders/transpose/*.glsl "$work/" 2>/dev/null || true
rm -f "$last"
begin
until_true started test -e "$last"
start=$(now)
xdotool key ctrl+o
sleep 0.3
xdotool type --delay 10 "$root/shaders/transpose/naive.comp"
xdotool key Return
until_true opened kept "transpose/naive"
echo "teacher: a file is opened: $(since "$start") s"
xdotool mousemove 600 300 key t
start=$(now)
sleep 0.5
xdotool key s
saved() { ls "$work"/tilescope-*.toml >/dev/null 2>&1; }
until_true saved saved
echo "teacher: saved: $(since "$start") s"
import -window root "$out/teacher.png"
end
rm -f "$last"
scene=$(ls "$work"/tilescope-*.toml | head -1)
start=$(now)
begin "$scene"
until_true reopened kept "transpose/naive"
echo "teacher: the saved scene is there again: $(since "$start") s after the start of the program"
import -window root "$out/teacher-again.png"
end
