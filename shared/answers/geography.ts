import { z } from '@hono/zod-openapi';
import { locations } from '../queries/rollups.js';
import { select } from '../queries/select.js';
import { answer } from './answer.js';
import { countryName } from './country-name.js';
import {
  botRequests,
  bytesSent,
  count,
  deltaPct,
  humanRequests,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  uniqueIps,
} from './figures.js';
import { compareWindows, datedWindow } from './windows.js';

/** More than there are codes in ISO 3166-1, so that no country is ever cut off. */
const MAX_COUNTRIES = 1000;
export const MAX_CITIES = 500;

const figures = {
  country: z.string().openapi({
    description: 'ISO 3166-1 alpha-2; empty where the address could not be located.',
    example: 'DE',
  }),
  country_name: z.string().openapi({ example: 'Germany' }),
  requests: requestCount,
  share_pct: sharePct,
  human_requests: humanRequests,
  bot_requests: botRequests,
  unique_ips: uniqueIps,
  status_4xx: count('Requests answered 4xx.'),
  status_5xx: count('Requests answered 5xx.'),
  bytes_sent: bytesSent,
  previous_requests: previousRequests,
  delta_pct: deltaPct,
};

const country = z.object(figures);
const city = country.extend({
  region: z.string().openapi({ description: 'Empty where unknown.' }),
  city: z.string().openapi({ description: 'Empty where unknown.' }),
});

export const geography = answer({
  schema: z.object({
    ...datedWindow,
    total_requests: count('All requests.'),
    unique_ips: uniqueIps,
    countries: z.array(country),
    cities: z.array(city),
  }),
  from: [[locations]],
  async read(reader, scope) {
    const [time, { total, countries, cities }] = await Promise.all([
      compareWindows(reader, scope),
      select(reader, scope, {
        name: 'geography.locations',
        from: [locations],
        lists: {
          total: { by: [] },
          countries: { by: ['country'], limit: MAX_COUNTRIES },
          cities: { by: ['country', 'region', 'city'], limit: MAX_CITIES },
        },
        metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'bytes_sent', 'client_ips'],
        previous: ['requests'],
      }),
    ]);
    const { requests: all, client_ips: uniqueIps } = total[0]!;
    const toFigures = (row: (typeof countries)[number]) => ({
      country: row.country,
      country_name: countryName(row.country),
      requests: row.requests,
      share_pct: percentOf(row.requests, all),
      human_requests: row.human_requests,
      bot_requests: row.requests - row.human_requests,
      unique_ips: row.client_ips,
      status_4xx: row.status_4xx,
      status_5xx: row.status_5xx,
      bytes_sent: row.bytes_sent,
      previous_requests: row.previous_requests,
      delta_pct: time.change.pct(row.requests, row.previous_requests),
    });
    return {
      ...time.windows,
      total_requests: all,
      unique_ips: uniqueIps,
      countries: countries.map(toFigures),
      cities: cities.map((row) => ({ ...toFigures(row), region: row.region, city: row.city })),
    };
  },
});
