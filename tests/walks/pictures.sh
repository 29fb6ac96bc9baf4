#!/bin/sh
# Draws the pictures of README and manual again, in assets/. Open each one before you commit it.
#
#     tests/walks/pictures.sh build/tilescope cpu [NAME...]    pictures without times of a GPU
#     tests/walks/pictures.sh build/tilescope gpu [NAME...]    pictures that the manual calls pictures of an NVIDIA H200
set -eu
program=$(realpath "$1")
which=$2
shift 2
wanted=" $* "
cd "$(dirname "$0")/../.."

# picture cpu|gpu FILE ARGUMENTS
picture() {
  kind=$1 file=$2
  shift 2
  [ "$kind" = "$which" ] || return 0
  case $wanted in "  " | *" $file "*) ;; *) return 0 ;; esac
  status=0
  "$program" shot "$@" -o "assets/$file" || status=$?
  [ "$status" -le 1 ]  # 1: the kernel has findings, as some of these kernels must
}

picture cpu tile-race.png matmul/tiled --size 64,64,64 --barrier 1=off --view tile
picture cpu tile-compute.png matmul/tiled --size 64,64,64 --view tile --phase 2 --invocation 10,5,0
picture cpu grid-race.png matmul/tiled --size 128,128,128 --barrier 1=off --view grid
picture cpu phases.webp matmul/tiled --size 64,64,64 --animate phases --frames 9
picture cpu refused.png barrier/divergent-if --view tile
picture cpu advice.png matmul/naive --size 256,256,256 --view advice
picture cpu banks.png transpose/tiled --size 256,256 --tile 32 --view banks --lanes 32
picture cpu values.png matmul/tiled --size 64,64,64 --barrier 1=off --values C
picture cpu stream.png matmul/tiled --size 512,512,512 --view stream

picture gpu barriers.png matmul/tiled --size 2048,2048,2048 --view barriers
picture gpu compare.png matmul/tiled --size 2048,2048,2048 --view compare --ladder
picture gpu roofline.png matmul/tiled --size 2048,2048,2048 --view roofline --ladder
picture gpu timeline.png matmul/tiled --size 4096,4096,4096 --view timeline
picture gpu occupancy.png matmul/registers --size 4096,4096,4096 --view occupancy --ladder
picture gpu regions.png transpose/divided --size 999,666 --view extents --ladder
