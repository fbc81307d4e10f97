# MediaWiki 1.43 for the sample wiki: the package of Debian 13, taken from the mirrors this machine uses and unpacked into
# .sidelight/mediawiki. Nothing of it is installed, and no root is needed.

mediawiki() {
  [ -e .sidelight/mediawiki/mw/index.php ] && return
  command -v apt-get > /dev/null && step mediawiki 'MediaWiki 1.43, unpacked for the sample wiki' unpack_mediawiki && return
  rm -rf .sidelight/mediawiki.new
  missing 'the sample wiki and its tests (MediaWiki)' 'run deploy/setup where a Debian mirror can be reached, or set WIKI to another wiki'
}

unpack_mediawiki() {
  local new=$root/.sidelight/mediawiki.new package
  rm -rf "$new"
  mkdir -p "$new"/{apt/lists/partial,apt/cache/archives/partial,deb,files}
  fetch_packages "$new" trixie mediawiki mediawiki-classes || return
  for package in "$new"/deb/*.deb; do dpkg-deb --extract "$package" "$new/files" || return; done
  dpkg-deb --field "$new"/deb/mediawiki_*.deb Version > "$new/version"
  mv "$new/files/usr/share/mediawiki" "$new/mw" || return
  own_folders "$new/mw" || return
  rm -rf "$new"/{apt,deb,files} .sidelight/mediawiki
  mv "$new" .sidelight/mediawiki
}

# fetch_packages FOLDER SUITE PACKAGE…: into FOLDER/deb, leaving the machine's own package lists alone
fetch_packages() {
  local folder=$1 suite=$2 options
  shift 2
  sources_of "$suite" > "$folder/apt/sources.list" || return
  options=(-q -o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=
    -o Acquire::Languages=none -o Acquire::http::Timeout=20
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::IndexTargets::deb::CNF::DefaultEnabled=false)
  apt-get "${options[@]}" update || return
  (cd "$folder/deb" && apt-get "${options[@]}" download "$@")
}

# The mirrors of this machine's Debian and of its security updates, asked for another suite.
sources_of() {
  local suite=$1 codename main security key=/usr/share/keyrings/debian-archive-keyring.gpg
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  main=$(mirror_of "$codename")
  security=$(mirror_of "$codename-security")
  [ -n "$main" ] || { echo "no mirror of $codename is configured"; return 1; } >&2
  echo "deb [signed-by=$key] $main $suite main"
  [ -z "$security" ] || echo "deb [signed-by=$key] $security $suite-security main"
}

mirror_of() {
  apt-get indextargets --format '$(RELEASE) $(SITE)' | sed -n "s/^$1 //p" | sort -u | head -n 1
}

# Debian links these into /etc and /var/lib.
own_folders() {
  rm -f "$1"/{extensions,config,images,LocalSettings.php}
  mv "$1/extensions-core" "$1/extensions" && mkdir -p "$1/images" "$1/cache"
}
