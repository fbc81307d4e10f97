# npm packages, and the two of them that are compiled here. No package's install script is run but better-sqlite3's.

require_node() {
  command -v node > /dev/null || give_up 'there is no node: Sidelight needs Node 20.18 or newer'
  in_place=" $(node deploy/setup.d/in-place.mjs | tr '\n' ' ')"
  is_in_place node || give_up "Node $(node --version) is too old: Sidelight needs Node 20.18 or newer"
}

npm_packages() {
  is_in_place packages && return
  step npm 'npm packages, as package-lock.json lists them' install_npm_packages
}

install_npm_packages() {
  # not `npm ci`: it refuses a lock file without the optional packages of every platform, which not every registry has
  npm install --no-save --ignore-scripts --include=dev || return
  ln -sf ../../deploy/bin/sidelight node_modules/.bin/sidelight # else npx links the package into its cache first
}

addons() {
  in_place=" $(node deploy/setup.d/in-place.mjs | tr '\n' ' ')"
  faiss_node || missing 'the index of passages by meaning (faiss-node)' 'see above for the compiler and FAISS, then run deploy/setup again'
  better_sqlite3 || missing 'the databases of sources, passages and findings (better-sqlite3)' 'see above for the compiler, then run deploy/setup again'
}

better_sqlite3() {
  is_in_place better-sqlite3 && return
  step better-sqlite3 'better-sqlite3, for all databases: its prebuilt binary, or compiled here (about a minute)' rebuild_better_sqlite3
}

# Node 22 and later take the other version, which comes with its binary.
rebuild_better_sqlite3() {
  local headers
  headers=$(node_headers) && export npm_config_nodedir=${headers%/include/node} # node-gyp would download them
  npm_config_jobs=max npm rebuild better-sqlite3
}

faiss_node() {
  is_in_place faiss-node && return
  step faiss-node "faiss-node, compiled against Debian's FAISS" compile_faiss_node
}

# Its own build wants a FAISS of its own; its one source file compiles against Debian's as well.
compile_faiss_node() {
  local build=node_modules/faiss-node/build/Release headers
  headers=$(node_headers) || { echo 'no headers of Node beside it (include/node)'; return 1; }
  mkdir -p "$build"
  cat > "$build/compat.h" << 'HEADER'
#include <faiss/Index.h>
#if FAISS_VERSION_MAJOR == 1 && (FAISS_VERSION_MINOR < 7 || (FAISS_VERSION_MINOR == 7 && FAISS_VERSION_PATCH < 4))
namespace faiss { using idx_t = Index::idx_t; } // where later versions have it
#endif
HEADER
  g++ -O2 -std=c++17 -fPIC -shared -include "$build/compat.h" -DNAPI_VERSION=8 -DNAPI_CPP_EXCEPTIONS \
    "-I$headers" -Inode_modules/node-addon-api node_modules/faiss-node/src/faiss.cc \
    -o "$build/faiss-node.node.new" -lfaiss -lgomp -lopenblas
  mv "$build/faiss-node.node.new" "$build/faiss-node.node"
}

node_headers() {
  local headers
  headers=$(dirname "$(dirname "$(realpath "$(command -v node)")")")/include/node
  [ -e "$headers/node_api.h" ] && echo "$headers"
}

is_in_place() {
  [[ $in_place == *" $1 "* ]]
}
