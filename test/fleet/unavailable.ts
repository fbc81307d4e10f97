/** Why there can be no fleet here; null if there can. */
import { elasticsearchUnavailable } from '../support/elasticsearch.ts';
import { redisUnavailable } from '../support/redis.ts';
import { hostsUnavailable } from './hosts.ts';
import { mariadbProgram } from './servers.ts';

export function fleetUnavailable(): string | null {
  const database = mariadbProgram() === null ? 'no mariadbd: apt-get install mariadb-server' : null;
  return hostsUnavailable() ?? redisUnavailable() ?? database ?? elasticsearchUnavailable();
}
