#!/bin/sh
# Makes the checked-in .spv files from the sources beside them. Needs glslangValidator; not part of the build.
set -e
cd "$(dirname "$0")"
for f in *.vert *.tesc *.tese *.geom *.frag *.comp; do glslangValidator --quiet -V -g0 -o "$f.spv" "$f"; done
