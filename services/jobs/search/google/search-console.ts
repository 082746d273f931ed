import { searchconsole, type searchconsole_v1 } from '@googleapis/searchconsole';
import { z } from 'zod';
import type { GoogleCredential } from '../../../../shared/connections/credential.js';
import { boundedCount, boundedPosition, lengthOfNames, MOST_NAMES } from '../../connections/bounds.js';
import { callSource, readAnswer, type Wait } from '../../connections/call-source.js';
import { googleAuth } from '../../connections/google/google-auth.js';
import { googleError } from '../../connections/google/google-error.js';
import type { DaySpan, SearchSource, SourceInspection } from '../sync/search-source.js';

/** Google Search Console (developers.google.com/webmaster-tools). Its days are in Pacific time. */

const SCOPE = 'https://www.googleapis.com/auth/webmasters.readonly';
/** In one page of an answer: some 25 MB with URLs of 2,000 characters. The service accepts up to 25,000. */
const PAGE_ROWS = 10_000;
/** The service returns no more per day and type. */
const MOST_PAGES = 50_000;
const MOST_QUERIES = 5_000;
const MOST_PAGE_QUERIES = 50_000;

export interface SearchConsoleOptions {
  readonly credential: GoogleCredential;
  /** `sc-domain:example.com`, or the URL of a URL-prefix property. */
  readonly property: string;
  /** The fetch for Google; default: the process's own. */
  readonly fetch?: typeof fetch | undefined;
  readonly wait?: Wait | undefined;
}

const figures = {
  impressions: z.number().min(0).transform(boundedCount),
  clicks: z.number().min(0).transform(boundedCount),
  position: z.number().min(0).transform(boundedPosition),
};

/** A day without rows has no `rows`. */
function rowsOf<Keys extends [z.ZodType, ...z.ZodType[]]>(keys: Keys) {
  return z.object({ rows: z.array(z.object({ keys: z.tuple(keys), ...figures })).default([]) });
}

export function openSearchConsole({ credential, property, fetch, wait }: SearchConsoleOptions): SearchSource {
  const api = searchconsole({ version: 'v1', auth: googleAuth({ credential, scope: SCOPE, fetch }) });

  /** @param most rows. The service returns those with the most clicks */
  async function query<Keys extends [z.ZodType, ...z.ZodType[]]>(
    dimensions: readonly string[],
    keys: Keys,
    { span, most }: { readonly span: DaySpan; readonly most: number },
    signal: AbortSignal,
  ) {
    const schema = rowsOf(keys);
    const all: z.output<typeof schema>['rows'] = [];
    let length = 0;
    while (all.length < most && length <= MOST_NAMES) {
      const rowLimit = Math.min(PAGE_ROWS, most - all.length);
      const requestBody: searchconsole_v1.Schema$SearchAnalyticsQueryRequest = {
        ...{ startDate: span.from, endDate: span.to, dimensions: [...dimensions] },
        ...{ type: 'web', dataState: 'final', rowLimit, startRow: all.length },
      };
      const data = await callSource(
        (callSignal) =>
          api.searchanalytics
            .query({ siteUrl: property, requestBody }, { signal: callSignal, retry: false })
            .then(({ data }) => data, throwTold),
        signal,
        wait,
      );
      const { rows } = readAnswer(schema, data);
      for (const row of rows) {
        length += lengthOfNames(row.keys as string[]);
        if (length <= MOST_NAMES) all.push(row);
      }
      if (rows.length < rowLimit) break;
    }
    return all;
  }

  const text = z.string();
  return {
    async days(span, signal) {
      const rows = await query(['date'], [z.iso.date()], { span, most: PAGE_ROWS }, signal);
      return rows
        .map(({ keys: [day], ...counted }) => ({ day, ...counted }))
        .filter(({ day }) => day >= span.from && day <= span.to)
        .sort((one, other) => (one.day < other.day ? -1 : 1));
    },
    async pages(day, signal) {
      const rows = await query(['page'], [text], { span: { from: day, to: day }, most: MOST_PAGES }, signal);
      return rows.map(({ keys: [url], ...counted }) => ({ url, ...counted }));
    },
    async queries(day, signal) {
      const span = { from: day, to: day };
      const rows = await query(['query'], [text], { span, most: MOST_QUERIES }, signal);
      return rows.map(({ keys: [words], ...counted }) => ({ query: words, ...counted }));
    },
    async pageQueries(span, signal) {
      const rows = await query(['page', 'query'], [text, text], { span, most: MOST_PAGE_QUERIES }, signal);
      return rows.map(({ keys: [url, words], ...counted }) => ({ url, query: words, ...counted }));
    },
    async inspect(url, signal) {
      const requestBody = { inspectionUrl: url, siteUrl: property, languageCode: 'en-US' };
      const data = await callSource(
        (callSignal) =>
          api.urlInspection.index
            .inspect({ requestBody }, { signal: callSignal, retry: false })
            .then(({ data }) => data, throwTold),
        signal,
        wait,
      );
      return toInspection(readAnswer(inspectionSchema, data));
    },
  };
}

function throwTold(error: unknown): never {
  throw googleError(error);
}

const optionalText = z.string().default('');
const inspectionSchema = z.object({
  inspectionResult: z.object({
    indexStatusResult: z
      .object({
        ...{
          verdict: optionalText,
          coverageState: optionalText,
          robotsTxtState: optionalText,
          indexingState: optionalText,
        },
        ...{ pageFetchState: optionalText, googleCanonical: optionalText, lastCrawlTime: optionalText },
      })
      .prefault({}),
  }),
});

function toInspection({ inspectionResult }: z.output<typeof inspectionSchema>): SourceInspection {
  const result = inspectionResult.indexStatusResult;
  const lastCrawl = Date.parse(result.lastCrawlTime);
  return {
    verdict: result.verdict,
    coverageState: result.coverageState,
    robotsState: result.robotsTxtState,
    indexingState: result.indexingState,
    fetchState: result.pageFetchState,
    engineCanonical: result.googleCanonical,
    lastCrawl: Number.isFinite(lastCrawl) && lastCrawl > 0 ? lastCrawl : null,
  };
}
