#!/bin/bash
# Builds an Elasticsearch for tests and benchmarks from Maven artifacts: build.sh FOLDER. Needs a JDK and Maven, which asks the
# repositories that this machine is set to. In FOLDER afterwards: lib/ modules/ plugins/ launcher.jar, `key`: what it was built of.
set -euo pipefail

here=$(cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")" && pwd)
folder=$(realpath -m "$1")

main() {
  local new=$folder.new
  rm -rf "$new"
  mkdir -p "$new/modules/transport-netty4" "$new/classes"
  fetch_jars "$new/lib"
  mv "$new"/lib/{netty-,transport-netty4-}*.jar "$new/modules/transport-netty4/"
  compile "$new"
  describe "$new/modules/transport-netty4" transport-netty4 org.elasticsearch.transport.netty4.Netty4Plugin
  "$here/key.sh" > "$new/key"
  rm -rf "$new/classes" "$folder"
  mv "$new" "$folder"
}

fetch_jars() {
  mvn -q -B -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$1"
}

compile() {
  javac -nowarn -proc:none -d "$1/classes" -cp "$1/lib/*" "$here"/src/*.java
  jar --create --file "$1/launcher.jar" -C "$1/classes" sidelight/Launcher.class
  plugin "$1" languages LanguagesPlugin
  plugin "$1" root RootPlugin
}

# plugin FOLDER NAME CLASS
plugin() {
  mkdir -p "$1/plugins/$2"
  (cd "$1/classes" && jar --create --file "$1/plugins/$2/$2.jar" sidelight/"$3"*.class)
  describe "$1/plugins/$2" "$2" "sidelight.$3"
}

# describe FOLDER NAME CLASS
describe() {
  local version
  version=$(sed -n 's/.*<elasticsearch>\([^<]*\)<.*/\1/p' "$here/pom.xml")
  cat > "$1/plugin-descriptor.properties" << DESCRIPTOR
name=$2
description=$2
version=$version
elasticsearch.version=$version
java.version=17
classname=$3
DESCRIPTOR
}

main
