import { parseAddress } from '../../../shared/requests/address.js';

/**
 * Writes the 16 bytes of an address; an IPv4 address becomes ::ffff:a.b.c.d.
 * @throws Error if the text is not an address
 */
export function ipv6Bytes(text: string, target: Uint8Array, offset: number): void {
  const address = parseAddress(text);
  if (address === null) throw new Error(`not an IP address: ${JSON.stringify(text)}`);
  if (typeof address !== 'number') {
    for (let word = 0; word < 4; word++) writeWord(address[word] as number, target, offset + 4 * word);
    return;
  }
  target.fill(0, offset, offset + 10);
  target.fill(0xff, offset + 10, offset + 12);
  writeWord(address, target, offset + 12);
}

/** Most significant byte first. */
function writeWord(word: number, target: Uint8Array, offset: number): void {
  target[offset] = word >>> 24;
  target[offset + 1] = word >>> 16;
  target[offset + 2] = word >>> 8;
  target[offset + 3] = word;
}
