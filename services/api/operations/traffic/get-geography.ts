import { z } from '@hono/zod-openapi';
import { readRequestTotals } from '../../../../shared/queries/estimates.js';
import { type LocationRow, listLocations } from '../../../../shared/queries/geography.js';
import { previousWindow } from '../../../../shared/queries/scope.js';
import { websiteRead } from '../../operation.js';
import { resolveScope, windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { countryName } from './country-name.js';
import {
  bytesSent,
  changePct,
  deltaPct,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  uniqueIps,
} from './figures.js';

/** More than there are codes in ISO 3166-1, so that no country is ever cut off. */
const MAX_COUNTRIES = 1000;
const MAX_CITIES = 500;

const figures = {
  country: z.string().openapi({
    description: 'ISO 3166-1 alpha-2; empty where the address could not be located.',
    example: 'DE',
  }),
  country_name: z.string().openapi({ example: 'Germany' }),
  requests: requestCount,
  share_pct: sharePct,
  human_requests: requestCount,
  bot_requests: requestCount,
  unique_ips: uniqueIps,
  status_4xx: requestCount,
  status_5xx: requestCount,
  bytes_sent: bytesSent,
};

const country = z.object({ ...figures, previous_requests: previousRequests, delta_pct: deltaPct });
const city = z.object({
  ...figures,
  region: z.string().openapi({ description: 'Empty where unknown.' }),
  city: z.string().openapi({ description: 'Empty where unknown.' }),
});

export const getGeography = websiteRead({
  id: 'getGeography',
  tag: 'Traffic',
  path: '/geography',
  summary: 'Requests by country and city',
  description: `Where the client addresses are, most requests first: every country, and the ${MAX_CITIES} cities with most requests.`,
  query: z.object(windowParameters()),
  answer: z.object({
    window: answerWindow,
    total_requests: requestCount,
    unique_ips: uniqueIps,
    countries: z.array(country),
    cities: z.array(city),
  }),
  async run(input, context) {
    const scope = resolveScope(input, context);
    const before = { ...scope, window: previousWindow(scope.window) };
    const { reader } = context.services;
    const [totals, countries, cities, earlier] = await Promise.all([
      readRequestTotals(reader, scope),
      listLocations(reader, scope, { by: 'country', limit: MAX_COUNTRIES }),
      listLocations(reader, scope, { by: 'city', limit: MAX_CITIES }),
      listLocations(reader, before, { by: 'country', limit: MAX_COUNTRIES }),
    ]);
    const previous = new Map(earlier.map((row) => [row.country, row.requests]));
    return {
      window: toAnswerWindow(scope.window),
      total_requests: totals.requests,
      unique_ips: totals.unique_ips,
      countries: countries.map((row) => ({
        ...toFigures(row, totals.requests),
        previous_requests: previous.get(row.country) ?? 0,
        delta_pct: changePct(row.requests, previous.get(row.country) ?? 0),
      })),
      cities: cities.map((row) => ({
        ...toFigures(row, totals.requests),
        region: row.region,
        city: row.city,
      })),
    };
  },
});

function toFigures(row: LocationRow, totalRequests: number) {
  return {
    country: row.country,
    country_name: countryName(row.country),
    requests: row.requests,
    share_pct: percentOf(row.requests, totalRequests),
    human_requests: row.human_requests,
    bot_requests: row.requests - row.human_requests,
    unique_ips: row.unique_ips,
    status_4xx: row.status_4xx,
    status_5xx: row.status_5xx,
    bytes_sent: row.bytes_sent,
  };
}
