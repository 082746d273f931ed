import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '../../durations.js';

/** Figures of all answers: shares and changes in percent with two digits; null if unknown. */

export const requestCount = z.int().openapi({ description: 'Requests.' });

/** A whole number with the description of its count. */
export function count(description: string) {
  return z.int().openapi({ description });
}

export const loggedPath = z.string().openapi({
  description:
    'Percent-encoded in one normal form (RFC 3986, section 6.2.2), independent of the form in the request, without the query string.',
});

/** The path of a single request. */
export const sentPath = z.string().openapi({
  description:
    'As sent, without the query string; empty for a log line that is not an HTTP request. Lists of paths have the normal form: `/caf%c3%a9` is `/caf%C3%A9` there.',
});

export const sentQuery = z.string().openapi({ description: 'As sent, without `?`; empty if there is none.' });

/** The error of the estimate is that of the engine's uniqCombined64 with 2^14 registers: measured, it begins between 500 and 600. */
export const uniqueIps = count(
  'Distinct client addresses. Counts up to 500 are exact; larger ones are estimates with a standard error of 0.81 %, so a list of the addresses can have another number of rows.',
);
export const uniquePaths = count(
  'Distinct paths without their query strings (a log line that is not an HTTP request has none). Counts up to 500 are exact; larger ones are estimates with a standard error of 0.81 %, so a list of the paths can have another number of rows.',
);

/** Fetches of one path. */
export const searchFetchCount = count(
  'Fetches by search crawlers on the last 90 days (UTC), of the requests that crawl_basis names. One more day counts until the daily count is finished.',
);

const deltaPoints = z.number().nullable().openapi({
  description:
    'Change in percentage points; null if the previous window had no requests to compute a share of, and if the logs are complete only after its start (complete_since).',
});

export const sharePct = z.number().openapi({ description: 'Percentage of all requests of the window.' });

export const deltaPct = z.number().nullable().openapi({
  description:
    'Change in percent against the previous window; null if that had none, and if the logs are complete only after its start (complete_since).',
});

export const previousRequests = count(
  'Requests in the previous window, which has the same length and ends at the start of this one.',
);

export const avgTimeMs = z.number().nullable().openapi({
  description:
    'Mean response time of the server in milliseconds, over requests whose source reports it; null without such requests.',
});

export const bytesSent = count('Bytes of the responses, as counted by the source.');

/** Metrics of the status classes. */
export const statusClasses = ['status_1xx', 'status_2xx', 'status_3xx', 'status_4xx', 'status_5xx'] as const;
type StatusClass = (typeof statusClasses)[number];

const answered = (statusClass: StatusClass) => count(`Requests answered ${statusClass.slice(-3)}.`);

export const statusClassCounts = {
  ...(Object.fromEntries(statusClasses.map((name) => [name, answered(name)])) as Record<
    StatusClass,
    z.ZodInt
  >),
  status_other: count(
    'Requests without a status of 100-599, for example because the client left before the response.',
  ),
};

/** The fields of `statusClassCounts`. */
export function toStatusClassCounts(row: Record<StatusClass | 'requests', number>) {
  const { status_1xx, status_2xx, status_3xx, status_4xx, status_5xx } = row;
  const classified = status_1xx + status_2xx + status_3xx + status_4xx + status_5xx;
  return {
    status_1xx,
    status_2xx,
    status_3xx,
    status_4xx,
    status_5xx,
    status_other: row.requests - classified,
  };
}

export const humanRequests = count(
  'Requests of people: they claim no bot and are not from an undeclared agent.',
);

export const botRequests = count(
  'Requests that are not from people: those that claim to be a bot, true or not, and those of undeclared agents, which `bot_requests` of /bots excludes.',
);

export const undeclaredAgentRequests = count(
  "Requests with a browser's user agent that are not from people. Either an AI operator publishes their addresses only for its crawlers, fetchers or agents, or the website's CDN identifies the client as a bot. They claim no bot, so no bot counts them.",
);

/** Every request is in exactly one traffic class. */
export const trafficClassCounts = {
  human_requests: humanRequests,
  search_bot_requests: count('Requests of search crawlers, except proven impostors.'),
  ai_bot_requests: count('Requests of bots of AI operators, with any intent, except proven impostors.'),
  other_bot_requests: count('Requests of all other bots, except proven impostors.'),
  spoofed_bot_requests: count('Requests that claim to be any bot and whose claim was disproved.'),
  undeclared_agent_requests: undeclaredAgentRequests,
};

/** Percentage of the whole; 0 if the whole is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : twoDigits((100 * part) / whole);
}

/** Computes changes against the previous window. */
export interface Comparison {
  /** Change in percent. */
  pct(current: number | null, previous: number | null): number | null;
  /** Change in percentage points. @param earlierWhole the whole of the previous share. */
  points(current: number, previous: number, earlierWhole: number): number | null;
}

/**
 * Whether the logs cover a window from its start.
 * @param since the hour from which the website's logs are complete, in milliseconds; null: no logs. Within that hour they are incomplete.
 */
export function isCovered(since: number | null, { start }: { readonly start: number }): boolean {
  return since !== null && (since === start || since + HOUR_MS <= start);
}

/** Changes are null if the logs do not cover the previous window. @param since as in `isCovered`. */
export function compareSince(since: number | null, previous: { readonly start: number }): Comparison {
  const whole = isCovered(since, previous);
  return {
    pct: (current, earlier) => (whole ? changePct(current, earlier) : null),
    points: (current, earlier, earlierWhole) =>
      whole && earlierWhole > 0 ? twoDigits(current - earlier) : null,
  };
}

/** Change in percent; null if there is no earlier figure. */
export function changePct(current: number | null, previous: number | null): number | null {
  if (current === null || previous === null || previous === 0) return null;
  return twoDigits((100 * (current - previous)) / previous);
}

type ChangeName = `${string}_${'pct' | 'pp'}`;
type ChangedFigure<Name> = Name extends `${infer Figure}_pct` | `${infer Figure}_pp` ? Figure : never;
type Changed<Name> = Readonly<Record<ChangedFigure<Name>, number | null>>;

/** Schema and values of changes against the previous window. @param names each is a figure's name with `_pct` or `_pp`. */
export function changesOf<const Name extends ChangeName>(names: readonly Name[]) {
  const fields = names.map((name) => [name, name.endsWith('_pp') ? deltaPoints : deltaPct]);
  return {
    schema: z.object(Object.fromEntries(fields) as Record<Name, typeof deltaPct>),
    /** @param wholeOf the whole of the previous figure, for changes in points. */
    between(
      current: Changed<Name>,
      previous: Changed<Name>,
      change: Comparison,
      wholeOf: (name: Name) => number = () => 0,
    ) {
      const values = names.map((name) => {
        const figure = name.slice(0, name.lastIndexOf('_')) as ChangedFigure<Name>;
        const [now, earlier] = [current[figure], previous[figure]];
        return [
          name,
          name.endsWith('_pp')
            ? change.points(now ?? 0, earlier ?? 0, wholeOf(name))
            : change.pct(now, earlier),
        ];
      });
      return Object.fromEntries(values) as Record<Name, number | null>;
    },
  };
}

/** The sum of each figure over the rows. */
export function sumsOf<Name extends string>(
  names: readonly Name[],
  rows: readonly Readonly<Record<Name, number>>[],
): Record<Name, number> {
  const sums = {} as Record<Name, number>;
  for (const name of names) {
    let sum = 0;
    for (const row of rows) sum += row[name];
    sums[name] = sum;
  }
  return sums;
}

type Fields<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape>>;

/**
 * The fields of a schema in its order, from values that may have further fields.
 * @param row has the fields that `values` lacks: a copy of a row that gets further fields takes ten times as long
 */
export function fieldsOf<Shape extends z.ZodRawShape, Values extends Partial<Fields<Shape>>>(
  { shape }: z.ZodObject<Shape>,
  values: Values,
  row: Omit<Fields<Shape>, keyof Values>,
): Fields<Shape>;
export function fieldsOf<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  values: Fields<Shape>,
): Fields<Shape>;
export function fieldsOf<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  values: Partial<Fields<Shape>>,
  row = values,
): Partial<Fields<Shape>> {
  const fields: Partial<Fields<Shape>> = {};
  for (const key in shape) {
    const name = key as keyof Shape & keyof Fields<Shape>;
    fields[name] = name in values ? values[name] : row[name];
  }
  return fields;
}

/** All fields of a schema as null. */
export function nullsOf<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, null])) as {
    [Name in keyof Shape]: null;
  };
}

/** Mean time of the timed requests in milliseconds; null without timed requests. */
export function averageTimeMs(row: { time_taken_ms: number; timed_requests: number }): number | null {
  return row.timed_requests === 0 ? null : twoDigits(row.time_taken_ms / row.timed_requests);
}

/** Rounds to two digits, as figures in answers. */
export function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
