import ipaddr from 'ipaddr.js';
import type { Random } from './random.js';

/** Draws addresses of a network, as text. */
export type AddressPool = (random: Random) => string;

/** Addresses of these networks; each network has the same probability. */
export function addressPool(cidrs: readonly string[]): AddressPool {
  const pools = cidrs.map(networkPool);
  return (random) => random.pick(pools)(random);
}

function networkPool(cidr: string): AddressPool {
  const [address, bits] = ipaddr.parseCIDR(cidr);
  return address.kind() === 'ipv4' ? ipv4Pool(address.toByteArray(), bits) : ipv6Pool(address, bits);
}

function ipv4Pool(bytes: number[], prefixBits: number): AddressPool {
  const base = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  const size = 2 ** (32 - prefixBits);
  return (random) => {
    let value = base + random.int(size);
    // .0 and .255 are rarely hosts; small published ranges use all addresses.
    if (size >= 256 && (value % 256 === 0 || value % 256 === 255)) value = base + 1 + random.int(200);
    return `${Math.floor(value / 16777216)}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
  };
}

/** A random /64 of the network and a random (privacy-extension) interface in it. */
function ipv6Pool(address: ipaddr.IPv4 | ipaddr.IPv6, prefixBits: number): AddressPool {
  const parts = (address as ipaddr.IPv6).parts;
  return (random) => {
    const groups = parts.map((part, index) => {
      const fixedBits = Math.min(Math.max(prefixBits - index * 16, 0), 16);
      return (part | (random.bits() & (0xffff >> fixedBits))).toString(16);
    });
    return groups.join(':');
  };
}
