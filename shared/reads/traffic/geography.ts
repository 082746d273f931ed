import { z } from '@hono/zod-openapi';
import { answer } from '../answer/answer.js';
import { countryName } from '../answer/country-name.js';
import {
  botRequests,
  bytesSent,
  count,
  deltaPct,
  fieldsOf,
  humanRequests,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  uniqueIps,
} from '../answer/figures.js';
import { comparedWindow, compareWindows } from '../answer/windows.js';
import { locations } from '../sql/read-tables.js';
import { select } from '../sql/select.js';

/** Above the number of codes in ISO 3166-1, so that no country is cut off. */
const MAX_COUNTRIES = 1000;
export const MAX_CITIES = 500;

const figures = {
  country: z.string().openapi({
    description: 'ISO 3166-1 alpha-2; empty if the address could not be located.',
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
  region: z.string().openapi({ description: 'Empty if unknown.' }),
  city: z.string().openapi({ description: 'Empty if unknown.' }),
});

export const geography = answer({
  schema: z.object({
    ...comparedWindow,
    total_requests: count('All requests.'),
    unique_ips: uniqueIps,
    countries: z.array(country),
    cities: z.array(city).openapi({ description: `Most requests first, at most ${MAX_CITIES}.` }),
    cities_complete: z.boolean().openapi({ description: 'false: there are more cities than the list has.' }),
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
          cities: { by: ['country', 'region', 'city'], limit: MAX_CITIES + 1 },
        },
        metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'bytes_sent', 'client_ips'],
        previous: ['requests'],
      }),
    ]);
    const { requests: all, client_ips: uniqueIps } = total[0]!;
    const toFigures = (row: (typeof countries)[number]) => ({
      country_name: countryName(row.country),
      share_pct: percentOf(row.requests, all),
      bot_requests: row.requests - row.human_requests,
      unique_ips: row.client_ips,
      delta_pct: time.change.pct(row.requests, row.previous_requests),
    });
    return {
      ...time.windows,
      total_requests: all,
      unique_ips: uniqueIps,
      countries: countries.map((row) => fieldsOf(country, toFigures(row), row)),
      cities: cities.slice(0, MAX_CITIES).map((row) => fieldsOf(city, toFigures(row), row)),
      cities_complete: cities.length <= MAX_CITIES,
    };
  },
});
