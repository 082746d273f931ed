import { z } from 'zod';
import { addFigures } from '../../../../shared/reads/search/search-measures.js';
import { boundedFetch } from '../../connections/bounded-fetch.js';
import { boundedCount, boundedPosition } from '../../connections/bounds.js';
import { callSource, readAnswer, type Wait } from '../../connections/call-source.js';
import { SourceError } from '../../connections/source-error.js';
import type { SearchSource } from '../sync/search-source.js';
import { dayOf } from '../sync/sync-days.js';

/**
 * Bing Webmaster Tools (learn.microsoft.com/bingwebmaster). It returns totals by day, without positions, and pages and queries by week. A week has the date
 * of the day that Bing gives it. The API takes no dates: each call returns everything.
 */

const ROOT = 'https://ssl.bing.com/webmaster/api.svc/json';

export interface BingOptions {
  readonly apiKey: string;
  /** URL of the site, as Bing lists it. */
  readonly property: string;
  /** The fetch for Bing; default: the process's own. */
  readonly fetch?: typeof fetch | undefined;
  readonly wait?: Wait | undefined;
}

/** `/Date(1316156400000-0700)/`: the instant, and the zone in which the day begins at it. */
const date = z
  .string()
  .regex(/^\/Date\(\d{1,15}([+-]\d{4})?\)\/$/)
  .transform((text) => {
    const [, at, sign, hours, minutes] = /\((\d+)(?:([+-])(\d\d)(\d\d))?\)/.exec(text)!;
    const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000;
    return dayOf(Number(at) + (sign === '-' ? -offset : offset));
  });

const count = z.int().min(0).transform(boundedCount);
const dailyRow = z.object({ Date: date, Impressions: count, Clicks: count });
/** For a page, `Query` is its URL. */
const weeklyRow = dailyRow.extend({ Query: z.string(), AvgImpressionPosition: z.number() });

/** Values of `ErrorCode` that mean a rate limit. */
const throttled = new Set([4, 5]);
const refusal = z.object({ ErrorCode: z.int(), Message: z.string().default('') });

export function openBingWebmaster({ apiKey, property, fetch: given, wait }: BingOptions): SearchSource {
  const bounded = boundedFetch(given ?? fetch);

  async function ask<Row>(method: string, row: z.ZodType<Row>, signal: AbortSignal): Promise<Row[]> {
    const address = `${ROOT}/${method}?${new URLSearchParams({ siteUrl: property, apikey: apiKey })}`;
    const body = await callSource(
      async (callSignal) => {
        const response = await bounded(address, { signal: callSignal, redirect: 'error' });
        const text = await response.text();
        if (!response.ok) throw bingError(response.status, text);
        return JSON.parse(text) as unknown;
      },
      signal,
      wait,
    );
    return readAnswer(z.object({ d: z.array(row) }), body).d;
  }

  /** Each list has every week, so it is requested once a run. */
  const lists = new Map<string, Promise<z.output<typeof weeklyRow>[]>>();
  async function week(method: string, day: string, signal: AbortSignal) {
    const list = lists.get(method) ?? ask(method, weeklyRow, signal);
    lists.set(method, list);
    return (await list)
      .filter((row) => row.Date === day)
      .map((row) => ({
        named: row.Query,
        impressions: row.Impressions,
        clicks: row.Clicks,
        // -1 if Bing has none.
        position: boundedPosition(Math.max(0, row.AvgImpressionPosition)),
      }));
  }

  return {
    async days({ from, to }, signal) {
      const rows = await ask('GetRankAndTrafficStats', dailyRow, signal);
      const byDay = new Map<string, { impressions: number; clicks: number; position: number }>();
      for (const { Date: day, Impressions: impressions, Clicks: clicks } of rows) {
        const row = { impressions, clicks, position: 0 };
        const held = byDay.get(day);
        if (day >= from && day <= to) byDay.set(day, held === undefined ? row : addFigures(held, row));
      }
      return [...byDay]
        .map(([day, figures]) => ({ day, ...figures }))
        .sort((one, other) => (one.day < other.day ? -1 : 1));
    },
    async pages(day, signal) {
      const rows = await week('GetPageStats', day, signal);
      return rows.map(({ named, ...figures }) => ({ url: named, ...figures }));
    },
    async queries(day, signal) {
      const rows = await week('GetQueryStats', day, signal);
      return rows.map(({ named, ...figures }) => ({ query: named, ...figures }));
    },
    pageQueries: null,
    inspect: null,
  };
}

/** Leaves out the address, which contains the key. */
function bingError(status: number, text: string): SourceError {
  const problem = refusal.safeParse(jsonOrNull(text)).data;
  const message = `Bing: ${(problem?.Message || `it answered ${status}`).slice(0, 300)}`;
  if (status === 429 || (problem !== undefined && throttled.has(problem.ErrorCode)))
    return new SourceError('limited', message);
  return new SourceError(status >= 400 && status < 500 ? 'refused' : 'unavailable', message);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
