#!/bin/sh
# Makes the checked-in .spv files from the sources beside them. Needs glslangValidator; not part of the build.
set -e
cd "$(dirname "$0")"
make() { out=$1; src=$2; shift 2; glslangValidator --quiet -V -g0 "$@" -o "$out.spv" "$src"; }
make full.vert full.vert
make none none.frag
make fill_f fill.frag -DVALUE=vec4
make fill_i fill.frag -DVALUE=ivec4
make fill_u fill.frag -DVALUE=uvec4
for shape in 2d:2DArray: ms:2DMSArray:-DMS 3d:3D:-DDIM3 1d:1DArray:-DDIM1; do
  name=${shape%%:*}; rest=${shape#*:}; kind=${rest%%:*}; define=${rest#*:}
  make "blit_${name}_f" blit.frag -DSAMPLER=sampler$kind -DOUT=vec4 -DFLOAT -DONE=1.0 $define
  make "blit_${name}_i" blit.frag -DSAMPLER=isampler$kind -DOUT=ivec4 -DONE=1 $define
  make "blit_${name}_u" blit.frag -DSAMPLER=usampler$kind -DOUT=uvec4 -DONE=1u $define
done
for shape in 2d:2DArray: ms:2DMSArray:-DMS 1d:1DArray:-DDIM1; do
  name=${shape%%:*}; rest=${shape#*:}; kind=${rest%%:*}; define=${rest#*:}
  make "depth_${name}" blit.frag -DSAMPLER=sampler$kind -DDEPTH $define
  make "stencil_${name}" blit.frag -DSAMPLER=usampler$kind -DSTENCIL_EXPORT $define
  make "bit_${name}" blit.frag -DSAMPLER=usampler$kind -DSTENCIL_BIT $define
done
