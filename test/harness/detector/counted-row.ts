import { asIpv6 } from '../../../shared/reads/sql/client-ip.js';
import { dateTime64 } from '../../../shared/store/insert-rows.js';
import type { CountedRow } from './count-rows.js';

/** Rows for tests of counts. */

export const FROM = Date.UTC(2026, 9, 7, 12);

export const rowOf = (given: Partial<CountedRow>): CountedRow => ({
  ...{ website_id: 'w', timestamp: FROM, client_ip: '192.0.2.1', path: '/', query: '', file_type: 'html' },
  ...{ status: 200, time_taken_ms: 12, user_agent: 'Mozilla/5.0', traffic_class: 'human', bot_name: '' },
  ...{ bot_family: '', bot_operator: '', bot_category: '', bot_verification: '', country: 'DE', asn: 64_500 },
  ...{ as_name: 'Example', is_probe: false },
  ...given,
});

/** In the form of a table row. */
export const stored = ({ timestamp, client_ip, ...row }: CountedRow, place: number) => ({
  ...row,
  timestamp: dateTime64(timestamp),
  received_at: Math.floor(timestamp / 1000),
  client_ip: asIpv6(client_ip),
  log_offset: place,
  is_bot: row.traffic_class !== 'human' && row.traffic_class !== 'undeclared_agent',
  retention_days: 3650,
});
