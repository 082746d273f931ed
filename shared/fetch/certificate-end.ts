import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';

/** End of the validity of a connection's certificate, milliseconds since the epoch; undefined without TLS. */
export function certificateEnd(socket: Socket): number | undefined {
  return socket instanceof TLSSocket ? endOf(socket.getPeerCertificate()) : undefined;
}

/**
 * @param certificate as Node returns it: `valid_to` is a text such as `Jan 20 12:00:00 2027 GMT`. For a closed
 * connection Node returns an empty object.
 */
export function endOf({ valid_to }: Partial<Pick<PeerCertificate, 'valid_to'>>): number | undefined {
  const end = Date.parse(valid_to ?? '');
  return Number.isNaN(end) ? undefined : end;
}
