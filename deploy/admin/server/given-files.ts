import type { Fetcher } from '../../../shared/fetch/fetcher.js';

/** As sockets hand a body on: between two pieces others get their turn. */
const PIECE_BYTES = 65_536;

/**
 * Answers in the place of a website, with these files by their paths, on each host. What is not among them is answered with 404. Nothing is
 * sent to any network.
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
