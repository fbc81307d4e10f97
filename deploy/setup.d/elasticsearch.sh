# The Elasticsearch of tests and benchmarks, built from Maven artifacts into .sidelight/elasticsearch.

elasticsearch() {
  is_elasticsearch_built && return
  command -v mvn javac > /dev/null && step elasticsearch 'Elasticsearch 8 for the tests of the sparse index' \
    timeout 300 deploy/servers/elasticsearch/build.sh .sidelight/elasticsearch && return
  missing 'the tests of the sparse index in Elasticsearch' 'run deploy/setup where there is a JDK, and Maven reaches its repository'
}

is_elasticsearch_built() {
  [ "$(cat .sidelight/elasticsearch/key 2> /dev/null)" = "$(deploy/servers/elasticsearch/key.sh)" ]
}
