import type { StoredRequest } from '../harness/stored-requests.js';
import {
  changeIn,
  claimsBot,
  comparedWindow,
  datedWindow,
  firstSeen,
  group,
  inClass,
  isHuman,
  isNoPerson,
  isUndeclared,
  lastSeen,
  nameOf,
  pct,
  type Rows,
  ranked,
  sum,
  type Truth,
  uniqueIps,
  verificationOf,
} from './counting.js';

export function geography(truth: Truth) {
  const { now, before } = truth;
  const delta = changeIn(truth);
  const place = (row: StoredRequest) => `${row.country}\0${row.region}\0${row.city}`;
  const earlierPlaces = group(before, place);
  const figures = (rows: Rows) => ({
    country: rows[0]!.country,
    country_name: nameOf(rows[0]!.country),
    requests: rows.length,
    share_pct: pct(rows.length, now.length),
    human_requests: rows.filter(isHuman).length,
    bot_requests: rows.filter(isNoPerson).length,
    unique_ips: uniqueIps(rows),
    status_4xx: rows.filter(inClass(4)).length,
    status_5xx: rows.filter(inClass(5)).length,
    bytes_sent: sum(rows, (row) => row.bytes_sent),
  });
  const earlier = group(before, (row) => row.country);
  return {
    ...comparedWindow(truth),
    total_requests: now.length,
    unique_ips: uniqueIps(now),
    countries: ranked(group(now, (row) => row.country)).map(([country, rows]) => ({
      ...figures(rows),
      previous_requests: earlier.get(country)?.length ?? 0,
      delta_pct: delta(rows.length, earlier.get(country)?.length ?? 0),
    })),
    cities: ranked(group(now, place)).map(([name, rows]) => ({
      ...figures(rows),
      previous_requests: earlierPlaces.get(name)?.length ?? 0,
      delta_pct: delta(rows.length, earlierPlaces.get(name)?.length ?? 0),
      region: rows[0]!.region,
      city: rows[0]!.city,
    })),
    cities_complete: true,
  };
}

/** Addresses as 128-bit numbers, including mapped IPv4: the engine's order. */
export function numberOf(ip: string): string {
  if (!ip.includes(':')) {
    const bytes = ip.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
    return `${'0'.repeat(20)}ffff${bytes.join('')}`;
  }
  const [head = '', tail = ''] = ip.split('::');
  const parts = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((part) => part.padStart(4, '0'));
  const middle = Array<string>(8 - parts(head).length - parts(tail).length).fill('0000');
  return [...parts(head), ...middle, ...parts(tail)].join('');
}

export function rangeOf(ip: string): string {
  if (!ip.includes(':')) return `${ip.split('.').slice(0, 3).join('.')}.0/24`;
  return `${ip
    .split(':')
    .slice(0, 3)
    .join(':')
    .replace(/(:0)+$/, '')}::/48`;
}

/** Among several requests at the last instant, the greatest country and the greatest network number. */
export function whereLatest(rows: Rows) {
  const last = Math.max(...rows.map((row) => row.timestamp));
  const tied = rows.filter((row) => row.timestamp === last);
  const country = tied
    .map((row) => row.country)
    .sort()
    .at(-1)!;
  const network = tied.toSorted((a, b) => a.asn - b.asn).at(-1)!;
  return {
    country,
    country_name: nameOf(country),
    asn: network.asn === 0 ? null : network.asn,
    as_name: network.as_name,
  };
}

export function ips(truth: Truth, limit: number) {
  const { now, verdicts } = truth;
  const verified: Record<string, boolean | null> = { verified: true, spoofed: false };
  const claims = (rows: Rows) =>
    ranked(group(rows.filter(claimsBot), (row) => `${row.bot_name}\0${verificationOf(row, verdicts)}`))
      .slice(0, 10)
      .map(([name, some]) => {
        const [bot_name, status = ''] = name.split('\0');
        return {
          bot_name,
          bot_verified: verified[status] ?? null,
          bot_verification_status: status,
          requests: some.length,
        };
      });
  const figures = (rows: Rows) => ({
    ...whereLatest(rows),
    requests: rows.length,
    share_pct: pct(rows.length, now.length),
    bot_requests: rows.filter(isNoPerson).length,
    undeclared_agent_requests: rows.filter(isUndeclared).length,
    claims: claims(rows),
    status_4xx: rows.filter(inClass(4)).length,
    status_5xx: rows.filter(inClass(5)).length,
    error_rate_pct: pct(rows.filter((row) => inClass(4)(row) || inClass(5)(row)).length, rows.length),
    bytes_sent: sum(rows, (row) => row.bytes_sent),
    first_seen: firstSeen(rows),
    last_seen: lastSeen(rows),
  });
  const byAddress = ranked(group(now, (row) => numberOf(row.client_ip)));
  const byRange = ranked(group(now, (row) => numberOf(rangeOf(row.client_ip).split('/')[0]!)));
  return {
    ...datedWindow(truth),
    total_requests: now.length,
    unique_ips: uniqueIps(now),
    ips: byAddress.slice(0, limit).map(([, rows]) => ({ client_ip: rows[0]!.client_ip, ...figures(rows) })),
    ip_ranges: byRange.slice(0, limit).map(([, rows]) => ({
      ip_range: rangeOf(rows[0]!.client_ip),
      unique_ips: uniqueIps(rows),
      ...figures(rows),
    })),
  };
}

export function referrers(truth: Truth, limit: number) {
  const { now, before } = truth;
  const delta = changeIn(truth);
  const key = (row: StoredRequest) => `${row.referrer_domain}\0${row.referrer_class}\0${row.ai_operator}`;
  const earlier = group(before, key);
  const classes = ['direct', 'internal', 'search', 'ai', 'social', 'spam', 'external'];
  const compare = (rows: Rows, previous: number) => ({
    requests: rows.length,
    share_pct: pct(rows.length, now.length),
    human_requests: rows.filter(isHuman).length,
    unique_ips: uniqueIps(rows),
    status_4xx: rows.filter(inClass(4)).length,
    status_5xx: rows.filter(inClass(5)).length,
    previous_requests: previous,
    delta_pct: delta(rows.length, previous),
  });
  const occurring = ranked(group(now, (row) => row.referrer_class)).map(([name]) => name);
  return {
    ...comparedWindow(truth),
    total_requests: now.length,
    direct_share_pct: pct(now.filter((row) => row.referrer_class === 'direct').length, now.length),
    by_class: [...occurring, ...classes.filter((name) => !occurring.includes(name))].map((name) => ({
      referrer_class: name,
      ...compare(
        now.filter((row) => row.referrer_class === name),
        before.filter((row) => row.referrer_class === name).length,
      ),
    })),
    referrers: ranked(
      group(
        now.filter((row) => row.referrer_class !== 'direct'),
        key,
      ),
    )
      .slice(0, limit)
      .map(([name, rows]) => ({
        referrer_domain: rows[0]!.referrer_domain,
        referrer_class: rows[0]!.referrer_class,
        ai_operator: rows[0]!.ai_operator,
        ...compare(rows, earlier.get(name)?.length ?? 0),
      })),
  };
}

export function devices(truth: Truth) {
  const now = truth.now.filter(isHuman);
  const before = truth.before.filter(isHuman);
  const delta = changeIn(truth);
  const list = (column: 'browser' | 'os' | 'device_type') => {
    const earlier = group(before, (row) => row[column]);
    return ranked(group(now, (row) => row[column])).map(([name, rows]) => ({
      name,
      requests: rows.length,
      share_pct: pct(rows.length, now.length),
      unique_ips: uniqueIps(rows),
      previous_requests: earlier.get(name)?.length ?? 0,
      delta_pct: delta(rows.length, earlier.get(name)?.length ?? 0),
    }));
  };
  return {
    ...comparedWindow(truth),
    human_requests: now.length,
    unique_human_ips: uniqueIps(now),
    browsers: list('browser'),
    operating_systems: list('os'),
    device_types: list('device_type'),
  };
}
