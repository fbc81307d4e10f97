# The sources as JavaScript in .build/, which Node runs.

build() {
  is_built && return
  step build 'the sources, compiled into .build/' compile
}

# Type errors are for `npm test` to report; with exit status 2 tsc has written its output all the same.
compile() {
  mkdir -p .build
  touch .build/begun
  node_modules/.bin/tsc -p tsconfig.json || [ $? -eq 2 ] || return
  mv .build/begun .build/finished # dated before the compiler read anything
}

is_built() {
  [ -e .build/finished ] && [ -z "$(find "${SOURCES[@]}" \( -name '*.ts' -o -name '*.json' \) -newer .build/finished -print -quit)" ]
}

SOURCES=(bot workers shared deploy test tsconfig.json package-lock.json)
