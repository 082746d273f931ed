import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '../../durations.js';

/** How figures look in every answer: shares and changes in percent with two digits, unknown is null. */

export const requestCount = z.int().openapi({ description: 'Requests.' });

/** A whole number that says what it counts. */
export function count(description: string) {
  return z.int().openapi({ description });
}

export const loggedPath = z.string().openapi({
  description:
    'Percent-encoded in one spelling (RFC 3986, section 6.2.2), however it was sent, without the query string.',
});

/** The path of a single request. */
export const sentPath = z.string().openapi({
  description:
    'As sent, without the query string; empty for a line of the log that is no HTTP request. Lists of paths have it in one spelling: `/caf%c3%a9` is `/caf%C3%A9` there.',
});

export const sentQuery = z.string().openapi({ description: 'As sent, without `?`; empty for none.' });

/** The estimate's error is the engine's: uniqCombined64 with 2^14 registers. */
export const uniqueIps = count(
  'Distinct client addresses; exact while few, an estimate with a standard error of 0.81 % for many.',
);
export const uniquePaths = count(
  'Distinct paths without their query strings (a line of the log that is no HTTP request has none); exact while few, an estimate with a standard error of 0.81 % for many.',
);

/** Of one path. */
export const crawlsOfSearch = count(
  'Fetches by crawlers of search engines, of the requests that crawl_basis names, on the last 90 days (UTC); on a day more until the count of the day is made.',
);

const deltaPoints = z.number().nullable().openapi({
  description:
    'Change in percentage points; null where the previous window had nothing to be a share of, and where data begin only after its start (data_since).',
});

export const sharePct = z.number().openapi({ description: 'Percent of all requests of the window.' });

export const deltaPct = z.number().nullable().openapi({
  description:
    'Change in percent against the previous window; null where that had none, and where data begin only after its start (data_since).',
});

export const previousRequests = count(
  'Requests in the window just before, of the same length; of the same whole hours where this one ends now and is a day or longer.',
);

export const avgTimeMs = z.number().nullable().openapi({
  description:
    'Mean time that the server took, in milliseconds, over requests whose source tells it; null where none does.',
});

export const bytesSent = count('Bytes of the responses, as the source counts them.');

/** Metrics of the classes that a status may have. */
export const statusClasses = ['status_1xx', 'status_2xx', 'status_3xx', 'status_4xx', 'status_5xx'] as const;
type StatusClass = (typeof statusClasses)[number];

const answered = (statusClass: StatusClass) => count(`Requests answered ${statusClass.slice(-3)}.`);

export const statusClassCounts = {
  ...(Object.fromEntries(statusClasses.map((name) => [name, answered(name)])) as Record<
    StatusClass,
    z.ZodInt
  >),
  status_other: count('Requests without a status of 100-599, as when the client left before an answer.'),
};

/** The fields of `statusClassCounts`. */
export function toStatusClassCounts(row: Record<StatusClass | 'requests', number>) {
  const { status_1xx, status_2xx, status_3xx, status_4xx, status_5xx } = row;
  const known = status_1xx + status_2xx + status_3xx + status_4xx + status_5xx;
  return { status_1xx, status_2xx, status_3xx, status_4xx, status_5xx, status_other: row.requests - known };
}

export const humanRequests = count('Requests of people: they claim no bot, and are of no undeclared agent.');

export const botRequests = count(
  'Requests of no person: those that claim to be a bot, true or not, and those of undeclared agents, which `bot_requests` of /bots leaves out.',
);

export const undeclaredAgentRequests = count(
  "Requests that show a browser's user agent and are no person's: they come from addresses that an AI operator publishes for its crawlers, fetchers or agents alone, or the website's CDN knows the client for a bot. They claim no bot, so no bot is counted for them.",
);

/** Every request is in one class of traffic, and in one only. */
export const trafficClassCounts = {
  human_requests: humanRequests,
  search_bot_requests: count('Requests of crawlers of search engines, but for proven impostors.'),
  ai_bot_requests: count(
    'Requests of bots of AI operators, whatever they fetch for, but for proven impostors.',
  ),
  other_bot_requests: count('Requests of all other bots, but for proven impostors.'),
  spoofed_bot_requests: count(
    'Requests that claim to be a bot and were proved not to be it, whatever bot they claim.',
  ),
  undeclared_agent_requests: undeclaredAgentRequests,
};

/** Percent of the whole; 0 of nothing. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : twoDigits((100 * part) / whole);
}

/** How an answer compares with the previous window: its own way to say what changed. */
export interface Comparison {
  /** Change in percent. */
  pct(current: number | null, previous: number | null): number | null;
  /** Change in percentage points. @param earlierWhole what the previous one is a share of. */
  points(current: number, previous: number, earlierWhole: number): number | null;
}

/**
 * @param since the hour in which the website's data begin, in milliseconds; null: there are none. A previous window that begins
 * before them is not whole, and nothing is compared with it; so is one that begins within that hour.
 */
export function compareSince(since: number | null, previous: { readonly start: number }): Comparison {
  const whole = since !== null && (since === previous.start || since + HOUR_MS <= previous.start);
  return {
    pct: (current, earlier) => (whole ? changePct(current, earlier) : null),
    points: (current, earlier, earlierWhole) =>
      whole && earlierWhole > 0 ? twoDigits(current - earlier) : null,
  };
}

/** Change in percent; null where there is nothing to compare with. */
export function changePct(current: number | null, previous: number | null): number | null {
  if (current === null || previous === null || previous === 0) return null;
  return twoDigits((100 * (current - previous)) / previous);
}

type ChangeName = `${string}_${'pct' | 'pp'}`;
type ChangedFigure<Name> = Name extends `${infer Figure}_pct` | `${infer Figure}_pp` ? Figure : never;
type Changed<Name> = Readonly<Record<ChangedFigure<Name>, number | null>>;

/** How figures compare with those of the previous window. @param names of a figure with how its change is told: `_pct` or `_pp`. */
export function changesOf<const Name extends ChangeName>(names: readonly Name[]) {
  const fields = names.map((name) => [name, name.endsWith('_pp') ? deltaPoints : deltaPct]);
  return {
    schema: z.object(Object.fromEntries(fields) as Record<Name, typeof deltaPct>),
    /** @param wholeOf what the previous figure is a share of, for changes in points. */
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
  const sums = names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(sums) as Record<Name, number>;
}

/** The fields of a schema in its order, from values that may hold more. */
export function fieldsOf<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  values: z.input<z.ZodObject<Shape>>,
): z.input<z.ZodObject<Shape>> {
  const named = new Map(Object.entries(values));
  return Object.fromEntries(Object.keys(shape).map((name) => [name, named.get(name)])) as never;
}

/** Every field of a schema null: there is nothing to tell. */
export function nullsOf<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, null])) as {
    [Name in keyof Shape]: null;
  };
}

/** Mean of the timed requests in milliseconds; null where none was timed. */
export function averageTimeMs(row: { time_taken_ms: number; timed_requests: number }): number | null {
  return row.timed_requests === 0 ? null : twoDigits(row.time_taken_ms / row.timed_requests);
}

/** As figures are told: with two digits. */
export function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
