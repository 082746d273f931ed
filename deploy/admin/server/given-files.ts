import type { Fetcher } from '../../../shared/fetch/fetcher.js';

/** As sockets do: other tasks can run between two pieces of a body. */
const PIECE_BYTES = 65_536;

/**
 * A fetcher that answers from these files, by path and for every host. Other paths get 404. It sends nothing to the
 * network.
 */
export function givenFiles(files: ReadonlyMap<string, Uint8Array>): Fetcher {
  return async (url) => {
    const bytes = files.get(new URL(url).pathname);
    return {
      finalUrl: url,
      redirects: [],
      status: bytes === undefined ? 404 : 200,
      headers: new Headers(),
      body: pieces(bytes ?? new Uint8Array()),
      discard() {},
    };
  };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
