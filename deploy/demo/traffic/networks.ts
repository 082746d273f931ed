import { type AddressPool, addressPool } from './address.js';

/**
 * Networks of the demo's people and machines: large access networks of each country, and hosting networks, from public routing tables of
 * November 2026. Addresses are random and have no relation to their real users.
 */

export interface Country {
  code: string;
  /** Hours ahead of UTC in winter. */
  utcOffset: number;
  /** Share of the shop's visitors; the sum is 1. */
  share: number;
  ipv4: AddressPool;
  ipv6: AddressPool;
}

type Row = [code: string, utcOffset: number, share: number, ipv4: string, ipv6: string];

// biome-ignore format: a table reads best as a table
const rows: Row[] = [
  ['US', -6, 220, '73.0.0.0/8 98.192.0.0/10 67.160.0.0/11 107.192.0.0/11 71.112.0.0/12 97.160.0.0/13 100.128.0.0/9', '2601:c00::/22 2600:4000::/25'],
  ['GB', 0, 170, '86.128.0.0/10 81.128.0.0/11 109.144.0.0/12 90.192.0.0/11 2.96.0.0/13', '2a02:8880::/25 2a02:c78::/29'],
  ['DE', 1, 150, '79.192.0.0/10 84.128.0.0/10 87.128.0.0/10 88.64.0.0/12 92.116.0.0/15', '2003::/23 2a02:3000::/23'],
  ['FR', 1, 60, '86.192.0.0/11 90.48.0.0/12 82.224.0.0/11 176.144.0.0/12', '2a01:e20::/27 2a02:8400::/25'],
  ['NL', 1, 50, '77.160.0.0/12 86.80.0.0/13 84.24.0.0/13', '2a02:a440::/26 2001:1c00::/23'],
  ['CA', -5, 40, '99.224.0.0/11 174.112.0.0/13 70.48.0.0/13', '2605:1300::/32 2001:569::/32'],
  ['AU', 10, 35, '1.128.0.0/11 58.160.0.0/12 49.176.0.0/12', '2001:8000::/20'],
  ['IE', 0, 30, '86.40.0.0/13 83.70.0.0/15 89.100.0.0/15', '2a02:8080::/29'],
  ['ES', 1, 30, '83.32.0.0/11 88.0.0.0/11 79.144.0.0/12', '2a02:9100::/24'],
  ['IT', 1, 30, '79.0.0.0/10 93.32.0.0/11 2.224.0.0/12', '2a01:2000::/20'],
  ['IN', 5.5, 25, '157.32.0.0/12 49.32.0.0/13 117.192.0.0/10', '2409:4200::/23'],
  ['SE', 1, 25, '78.64.0.0/12 81.224.0.0/12 83.248.0.0/13', '2a04:ae00::/26'],
  ['PL', 1, 20, '83.16.0.0/12 79.184.0.0/13', '2a01:1400::/22'],
  ['AT', 1, 20, '91.112.0.0/14 178.188.0.0/14 84.112.0.0/14', '2001:850::/29'],
  ['CH', 1, 20, '85.0.0.0/13 178.192.0.0/13 77.56.0.0/14', '2a02:1200::/28'],
  ['BE', 1, 20, '109.128.0.0/12 81.240.0.0/13', '2a02:a000::/26'],
  ['DK', 1, 15, '80.160.0.0/13 87.48.0.0/13', '2001:6c8::/29'],
  ['BR', -3, 15, '179.136.0.0/13 191.176.0.0/13 177.16.0.0/14', '2804:14d:ec00::/39'],
  ['JP', 9, 10, '126.64.0.0/11 153.128.0.0/10', '2400:4000::/22'],
  ['ZA', 2, 10, '105.224.0.0/14 41.4.0.0/14', '2c0e:2200::/28'],
];

const allShares = rows.reduce((sum, [, , share]) => sum + share, 0);

export const countries: readonly Country[] = rows.map(([code, utcOffset, share, ipv4, ipv6]) => ({
  ...{ code, utcOffset, share: share / allShares },
  ...{ ipv4: addressPool(ipv4.split(' ')), ipv6: addressPool(ipv6.split(' ')) },
}));

export interface HostingNetwork {
  country: string;
  addresses: AddressPool;
}

/** Networks of rented servers, for impostors and scanners. */
export const hostingNetworks: readonly HostingNetwork[] = [
  ['DE', '46.224.0.0/15'], // Hetzner
  ['DE', '38.242.192.0/18'], // Contabo
  ['FR', '51.254.0.0/15'], // OVH
  ['NL', '85.17.0.0/16'], // Leaseweb
  ['US', '45.55.0.0/16'], // DigitalOcean
  ['US', '45.33.0.0/17'], // Linode
  ['US', '44.224.0.0/11'], // AWS
  ['HK', '43.100.0.0/15'], // Alibaba Cloud
  ['SG', '43.134.0.0/16'], // Tencent Cloud
  ['RU', '87.228.0.0/17'], // Selectel
  ['CN', '36.56.0.0/13'], // China Telecom
].map(([country = '', cidr = '']) => ({ country, addresses: addressPool([cidr]) }));
