#!/bin/bash
# The npm packages of an image. install: all of them, and the two that compile; prune: those that only building needs go.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. deploy/setup.d/npm.sh

install_packages() {
  npm install --no-save --ignore-scripts --include=dev
  compile_faiss_node
  rebuild_better_sqlite3
}

prune_packages() {
  local kept
  kept=$(mktemp -d)
  cp node_modules/faiss-node/build/Release/faiss-node.node node_modules/better-sqlite3/build/Release/better_sqlite3.node "$kept"
  npm prune --no-save --omit=dev --ignore-scripts
  rm -rf node_modules/better-sqlite3/{build,deps} node_modules/faiss-node/build
  install -D "$kept/faiss-node.node" node_modules/faiss-node/build/Release/faiss-node.node
  install -D "$kept/better_sqlite3.node" node_modules/better-sqlite3/build/Release/better_sqlite3.node
}

"${1}_packages"
