import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { addressPool } from './address.js';
import { crawlers } from './crawler-list.js';
import { createRandom } from './random.js';

it.each([
  '10.0.0.0/8',
  '66.249.66.0/24',
  '107.20.236.150/32',
  '18.97.21.0/30',
  '255.255.255.0/24',
  '2003::/23',
  '2a02:a440::/26',
  '2001:bb0::/48',
  '2804:14d:ec00::/39',
])('draws addresses of %s and of nothing else, in their usual spelling', (cidr) => {
  const random = createRandom(cidr);
  const draw = addressPool([cidr]);
  const network = ipaddr.parseCIDR(cidr);
  for (let i = 0; i < 500; i++) {
    const address = draw(random);
    const parsed = ipaddr.parse(address);
    expect(parsed.match(network as never), address).toBe(true);
    if (parsed.kind() === 'ipv4') expect(parsed.toString()).toBe(address);
  }
});

it('refuses invalid networks', () => {
  for (const { networks } of crawlers) {
    for (const cidr of networks) {
      const [address, bits] = ipaddr.parseCIDR(cidr);
      expect(ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString(), cidr).toBe(
        address.toString(),
      );
    }
  }
});
