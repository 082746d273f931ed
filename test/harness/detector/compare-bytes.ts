import { ipv6Bytes } from '../../../services/enricher/native/ipv6-bytes.js';

/** Compares by the bytes of UTF-8, like the store. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function compareAll(a: readonly string[], b: readonly string[]): number {
  return a.reduce((order, text, place) => order || compareBytes(text, b[place]!), 0);
}

export function compareAddresses(a: string, b: string): number {
  return Buffer.compare(bytesOf(a), bytesOf(b));
}

function bytesOf(address: string): Buffer {
  const bytes = Buffer.alloc(16);
  ipv6Bytes(address, bytes, 0);
  return bytes;
}
