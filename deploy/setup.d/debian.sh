# Debian's packages. One line a feature: what it is | a program or file that shows it is there (where there is no dpkg) | packages
FEATURES=(
  'a compiler for the native npm packages|g++|g++ make python3'
  'FAISS, the index of passages by meaning|/usr/include/faiss/Index.h|libfaiss-dev libopenblas-dev'
  'Redis, the queues of every part but `check` and `verify`|redis-server|redis-server'
  'MariaDB for tests of an installation on many hosts|mariadbd|mariadb-server'
  'hosts as network namespaces, and clocks that are moved, for the same|faketime|iproute2 faketime'
  'systemd and Prometheus, whose own checks read our units and rules|promtool|systemd prometheus'
  'PHP for the sample wiki and its tests|php|php-cli php-sqlite3 php-mbstring php-xml php-intl php-apcu php-redis'
  'Java and Maven for the Elasticsearch of the tests|mvn|openjdk-17-jdk-headless maven'
  'Chromium for the tests in a browser|chromium|chromium fonts-dejavu-core'
)

debian_packages() {
  local feature packages
  mapfile -t packages < <(missing_packages)
  [ ${#packages[@]} -gt 0 ] || return 0
  if can_install; then
    step debian "Debian packages (services among them are not started): ${packages[*]}" \
      as_root "$root/deploy/setup.d/install-packages" "${packages[@]}" || true
  fi
  for feature in "${FEATURES[@]}"; do
    mapfile -t packages < <(missing_packages_of "$feature")
    [ ${#packages[@]} -eq 0 ] || missing "${feature%%|*}" "as root, apt-get install ${packages[*]}"
  done
}

# Asks for the password of sudo now, once: later steps run in the background.
ask_for_root() {
  [ "$(id -u)" -ne 0 ] && [ -t 0 ] && can_install && [ -n "$(missing_packages)" ] || return 0
  say 'Debian packages are missing; sudo may ask for your password'
  sudo -v || true
}

can_install() {
  command -v apt-get > /dev/null && { [ "$(id -u)" -eq 0 ] || command -v sudo > /dev/null; }
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

missing_packages() {
  local feature
  for feature in "${FEATURES[@]}"; do missing_packages_of "$feature"; done
}

missing_packages_of() {
  local probe packages
  IFS='|' read -r _ probe packages <<< "$1"
  # shellcheck disable=SC2086 # package names are words
  set -- $packages
  if command -v dpkg-query > /dev/null; then
    comm -13 <(installed "$@" | sort) <(printf '%s\n' "$@" | sort)
  elif [ ! -e "$probe" ] && ! command -v "$probe" > /dev/null; then
    printf '%s\n' "$@"
  fi
}

installed() {
  dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "$@" 2> /dev/null | sed -n 's/^installed //p'
}
