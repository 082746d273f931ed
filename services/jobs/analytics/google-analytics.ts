import { analyticsdata, type analyticsdata_v1beta } from '@googleapis/analyticsdata';
import { z } from 'zod';
import type { GoogleCredential } from '../../../shared/connections/credential.js';
import { withoutWww } from '../../../shared/urls/path-of-address.js';
import { isTimeZone } from '../../../shared/zone-days.js';
import { boundedCount, boundedMoney, lengthOfNames, MOST_NAMES } from '../connections/bounds.js';
import { callSource, readAnswer, type Wait } from '../connections/call-source.js';
import { googleAuth } from '../connections/google/google-auth.js';
import { googleError } from '../connections/google/google-error.js';
import type { WebAnalytics } from './analytics-source.js';

/**
 * Google Analytics 4 by its Data API, v1beta (developers.google.com/analytics/devguides/reporting/data/v1). Every report is filtered by the
 * website's host, because a property may cover other sites and apps. Its days are those of the property's time zone.
 */

const ANALYTICS_SCOPE = 'https://www.googleapis.com/auth/analytics.readonly';
/** In one page of an answer: some 20 MB with paths of 1,000 characters. The service accepts up to 250,000. */
const PAGE_ROWS = 10_000;
/** Rows beyond these limits of a day are not read. */
const MOST_LANDINGS = 100_000;
const MOST_PATHS = 50_000;
const MOST_SENDERS = 10_000;

export interface GoogleAnalyticsOptions {
  readonly credential: GoogleCredential;
  /** Number of the property. */
  readonly property: string;
  /** The website's domain; pages count with and without www. */
  readonly domain: string;
  /** The fetch for Google; default: the process's own. */
  readonly fetch?: typeof fetch | undefined;
  readonly wait?: Wait | undefined;
}

/** Numbers come as text. */
const number = z
  .string()
  .regex(/^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/)
  .transform(Number);
/** A number of items or seconds. Attribution may make it fractional. */
const count = number.refine((value) => value >= 0).transform(boundedCount);
const money = number.transform(boundedMoney);

/** The API's names of the figures. */
const sessionMetrics = {
  sessions: ['sessions', count],
  engagedSessions: ['engagedSessions', count],
  keyEvents: ['keyEvents', count],
  revenue: ['totalRevenue', money],
} as const;
const viewMetrics = {
  pageviews: ['screenPageViews', count],
  activeUsers: ['activeUsers', count],
  engagementSecs: ['userEngagementDuration', count],
} as const;

type Metrics = Readonly<Record<string, readonly [string, z.ZodType<number, string>]>>;

interface Report<Given extends Metrics> {
  readonly dimensions: readonly string[];
  readonly metrics: Given;
  readonly span: { readonly startDate: string; readonly endDate: string };
  /** The maximum of rows. The service returns those with the highest first metric. */
  readonly most: number;
}

interface Row<Given extends Metrics> {
  /** In the order of the dimensions. */
  readonly named: readonly string[];
  readonly figures: { readonly [Name in keyof Given]: number };
}

/** A report without rows has no `rows`. */
const answer = z.object({
  rows: z
    .array(
      z.object({
        dimensionValues: z.array(z.object({ value: z.string().default('') })),
        metricValues: z.array(z.object({ value: z.string() })),
      }),
    )
    .default([]),
  rowCount: z.int().min(0).default(0),
  metadata: z.object({ currencyCode: z.string().default(''), timeZone: z.string().default('') }).prefault({}),
});

export function openGoogleAnalytics(options: GoogleAnalyticsOptions): WebAnalytics {
  const { credential, property, fetch, wait } = options;
  const api = analyticsdata({
    version: 'v1beta',
    auth: googleAuth({ credential, scope: ANALYTICS_SCOPE, fetch }),
  });
  const dimensionFilter = filterOf(options.domain);

  async function run<Given extends Metrics>(
    { dimensions, metrics, span, most }: Report<Given>,
    signal: AbortSignal,
  ) {
    const names = Object.values(metrics).map(([name]) => ({ name }));
    const requestBody: analyticsdata_v1beta.Schema$RunReportRequest = {
      dateRanges: [span],
      dimensions: dimensions.map((name) => ({ name })),
      metrics: names,
      dimensionFilter,
      // Rows must keep their order from page to page.
      orderBys: [
        { metric: { metricName: names[0]!.name }, desc: true },
        ...dimensions.map((dimensionName) => ({ dimension: { dimensionName } })),
      ],
    };
    const all: Row<Given>[] = [];
    let length = 0;
    for (;;) {
      const limit = Math.min(PAGE_ROWS, most - all.length);
      const page = { ...requestBody, limit: `${limit}`, offset: `${all.length}` };
      const data = await callSource(
        (callSignal) =>
          api.properties
            .runReport(
              { property: `properties/${property}`, requestBody: page },
              { signal: callSignal, retry: false },
            )
            .then(({ data }) => data, throwTold),
        signal,
        wait,
      );
      const { rows, rowCount, metadata } = readAnswer(answer, data);
      const schema = rowSchema(dimensions.length, metrics);
      for (const reported of rows) {
        const row = readAnswer(schema, reported);
        length += lengthOfNames(row.named);
        if (length <= MOST_NAMES) all.push(row);
      }
      const isLast = rows.length < limit || all.length >= Math.min(most, rowCount);
      if (isLast || length > MOST_NAMES) return { rows: all, metadata };
    }
  }
  const onDay = (day: string) => ({ startDate: day, endDate: day });
  return {
    async days({ historyDays, lagDays }, signal) {
      const span = { startDate: `${historyDays}daysAgo`, endDate: `${lagDays}daysAgo` };
      const metrics = { ...sessionMetrics, ...viewMetrics };
      const { rows, metadata } = await run(
        { dimensions: ['date'], metrics, span, most: historyDays + 1 },
        signal,
      );
      const timeZone = isTimeZone(metadata.timeZone) ? metadata.timeZone : '';
      const currency = /^[A-Z]{3}$/.test(metadata.currencyCode) ? metadata.currencyCode : '';
      const days = rows.map(({ named: [date], figures }) => ({
        day: readAnswer(compactDate, date),
        ...figures,
        currency,
        timeZone,
      }));
      return { days: days.sort((one, other) => (one.day < other.day ? -1 : 1)), timeZone };
    },
    async landings(day, signal) {
      const dimensions = ['landingPage', 'sessionSource', 'sessionMedium'];
      const report = { dimensions, metrics: sessionMetrics, span: onDay(day), most: MOST_LANDINGS };
      const { rows } = await run(report, signal);
      return rows.map(({ named: [path = '', source = '', medium = ''], figures }) => ({
        ...{ path, source, medium },
        ...figures,
      }));
    },
    async views(day, signal) {
      const report = {
        ...{ dimensions: ['pagePath'], metrics: viewMetrics },
        ...{ span: onDay(day), most: MOST_PATHS },
      };
      const { rows } = await run(report, signal);
      return rows.map(({ named: [path = ''], figures }) => ({ path, ...figures }));
    },
    async senders(day, signal) {
      const dimensions = ['sessionSource', 'sessionMedium'];
      const report = { dimensions, metrics: sessionMetrics, span: onDay(day), most: MOST_SENDERS };
      const { rows } = await run(report, signal);
      return rows.map(({ named: [source = '', medium = ''], figures }) => ({ source, medium, ...figures }));
    },
  };
}

/** `20261118`. */
const compactDate = z
  .string()
  .regex(/^\d{8}$/)
  .transform((text) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`)
  .pipe(z.iso.date());

/** One row: one name per dimension, and the figures by their own names. */
function rowSchema<Given extends Metrics>(dimensions: number, metrics: Given): z.ZodType<Row<Given>> {
  const names = Object.keys(metrics);
  const values = Object.values(metrics).map(([, type]) => type);
  return z
    .object({
      dimensionValues: z.array(z.object({ value: z.string() })).length(dimensions),
      metricValues: z
        .array(z.object({ value: z.string() }))
        .transform((all) => all.map(({ value }) => value))
        .pipe(z.tuple(values as unknown as [z.ZodType<number, string>])),
    })
    .transform(({ dimensionValues, metricValues }) => ({
      named: dimensionValues.map(({ value }) => value),
      figures: Object.fromEntries(names.map((name, index) => [name, metricValues[index]])) as never,
    }));
}

function filterOf(domain: string): analyticsdata_v1beta.Schema$FilterExpression {
  const bare = withoutWww(domain);
  const inListFilter = { values: [bare, `www.${bare}`], caseSensitive: false };
  return { filter: { fieldName: 'hostName', inListFilter } };
}

function throwTold(error: unknown): never {
  throw googleError(error);
}
