/** Why nodes are not trusted. Elasticsearch's client keeps a TLS error's message but not its code: so the handshake is tried here. */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { RefuseToStart } from '../../../shared/errors.ts';

/** Null if a handshake succeeds, if no node is https, or if none answers at all. */
export async function findTlsProblem(nodes: readonly string[], ca: Buffer | undefined): Promise<RefuseToStart | null> {
  for (const node of nodes.map((text) => new URL(text))) {
    const code = node.protocol === 'https:' ? await shakeHands(node, ca) : null;
    if (code !== null && TLS.test(code)) {
      return new RefuseToStart(`${node.origin} is not trusted (${code}): see ELASTICSEARCH_CA.`);
    }
  }
  return null;
}

/** The code of what went wrong; null if nothing did. */
async function shakeHands({ hostname, port }: URL, ca: Buffer | undefined): Promise<string | null> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || 443), ...(ca === undefined ? {} : { ca }) });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(HANDSHAKE_MS) });
    return null;
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
  } finally {
    socket.destroy();
  }
}

const HANDSHAKE_MS = 10_000;
/** Of OpenSSL and of Node: https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
const TLS = /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|EPROTO|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_)/;
