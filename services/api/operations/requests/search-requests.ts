import { METHODS } from 'node:http';
import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../../shared/errors.js';
import { statusClassOf } from '../../../../shared/reads/answer/status-category.js';
import { dateWindow, laterDatedWindow, toAnswerWindow } from '../../../../shared/reads/answer/windows.js';
import {
  type RequestFilters,
  searchRequests as search,
} from '../../../../shared/reads/requests/request-rows-sql.js';
import { quickOrSlow } from '../../operation/answer-or-buffer.js';
import { shortened } from '../../operation/input.js';
import { type WebsiteContext, websiteRead } from '../../operation/operation.js';
import {
  booleanParameter,
  clientIpParameter,
  countriesParameter,
  fullTextsParameter,
  integerParameter,
  MOST_FULL_ROWS,
  requestFilterParameters,
  statusCategoryParameter,
  UNKNOWN_NAME,
  wholeNumber,
  windowParameters,
} from '../../operation/parameters.js';
import { refuseUnknownBots } from '../../operation/refuse-unknown-bots.js';
import { refuseUnknownFileTypes } from '../../operation/refuse-unknown-file-types.js';
import { refuseUnknownHosts } from '../../operation/refuse-unknown-hosts.js';
import {
  refuseContradiction,
  refuseNoCountry,
  refuseOtherBots,
  resolveScope,
} from '../../operation/resolve-scope.js';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.js';
import { requestEntry, toRequestEntry } from './request-rows.js';
import { rowsWithin } from './rows-within.js';

/** An offset reads all rows before it. Beyond this bound, callers use the cursor, which costs the same on every page. */
const MAX_OFFSET = 100_000;

const text = (description: string, example: string) =>
  z.string().min(1).max(2048).optional().openapi({ description, example });

const filterParameters = {
  bot_name: text(`Name of the bot, exact but for case. ${UNKNOWN_NAME}`, 'Googlebot'),
  is_bot: booleanParameter(
    'false: only requests of people; true: only requests of claimed bots and undeclared agents.',
  ),
  client_ip: clientIpParameter('Exact IPv4 or IPv6 address.').optional(),
  path: text(
    'Part of the path in any spelling, ignoring case; the query string is not searched.',
    '/product/',
  ),
  status_category: statusCategoryParameter,
  method: text('HTTP method. A method that neither HTTP nor a request has is refused.', 'GET'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'an ISO 3166-1 alpha-2 code')
    .optional()
    .openapi({ description: 'One ISO 3166-1 alpha-2 code.', example: 'DE' }),
  user_agent: text('Part of the user agent, ignoring case.', 'bingbot/2.0'),
  ...requestFilterParameters,
};

const query = z.object({
  ...windowParameters(),
  countries: countriesParameter,
  ...filterParameters,
  limit: integerParameter({ min: 1, max: 500, default: 100, description: 'Rows in one answer.' }),
  page: wholeNumber({ min: 1 })
    .default(1)
    .openapi({
      type: 'integer',
      minimum: 1,
      default: 1,
      description: `Counted from 1, for the first ${MAX_OFFSET} rows; ignored with cursor.`,
    }),
  full_texts: fullTextsParameter,
  cursor: z.string().max(400).optional().openapi({
    description: 'next_cursor of the previous answer; repeat all filters unchanged.',
  }),
});
type Input = z.output<typeof query>;

const answer = z.object({
  requests: z.array(requestEntry).nullable().openapi({ description: 'null while data_buffering.' }),
  count: z.int().nullable().openapi({ description: 'Rows in this answer; null while data_buffering.' }),
  limit: z.int(),
  page: z.int(),
  next_cursor: z.string().nullable().openapi({
    description: 'null: no more rows. While data_buffering it is the cursor of the rows that are being read.',
  }),
  ...laterDatedWindow,
  data_buffering: z
    .boolean()
    .openapi({ description: 'true: the query is still running; repeat the call after Retry-After.' }),
});

export const searchRequests = websiteRead({
  id: 'searchRequests',
  tag: 'Requests',
  path: '/requests',
  summary: 'Search single requests',
  description:
    'Requests with their classification, newest first. All filters are optional; a row must match all given filters. An answer ends after about 4 MiB of JSON and may have fewer rows than `limit`. Use `next_cursor` for the rows after them. It keeps the window of the first answer, so no row is repeated or missed while new rows arrive. A search over very many rows may answer `data_buffering` true; repeat the same call to get the result.',
  query,
  answer,
  async run(body, context) {
    const input = body.full_texts ? { ...body, limit: Math.min(body.limit, MOST_FULL_ROWS) } : body;
    const filters = resolveFilters(input);
    const { hours, start, end, countries, host, bot, bot_family, file_type, params_filter } = input;
    const { without_unproved } = input;
    refuseContradiction(input);
    refuseOtherBots(input, context);
    const scope = resolveScope(
      { hours, start, end, countries, host, bot, bot_family, file_type, params_filter, without_unproved },
      context,
    );
    refuseOtherCountry(filters.country, scope.filters.countries);
    await refuseUnknownBots(input, context);
    await refuseUnknownHosts(scope.filters, context);
    await refuseUnknownFileTypes(scope.filters, scope.window, context);
    const cursor = input.cursor === undefined ? null : decodeCursor(input.cursor, question(input, context));
    const window = cursor?.window ?? scope.window;
    const offset = cursor === null ? resolveOffset(input) : 0;
    const found = await quickOrSlow(context.services, {
      key: JSON.stringify([
        'searchRequests',
        question(input, context),
        input.limit,
        offset,
        input.cursor,
        input.full_texts,
      ]),
      owner: context.website.organisationId,
      async read(reader) {
        const rows = await search(reader, {
          scope: { ...scope, window },
          filters,
          after: cursor?.after ?? null,
          // One row more than shown reveals whether there is a next page.
          limit: input.limit + 1,
          offset,
          fullTexts: input.full_texts ?? false,
        });
        const { fields } = await dateWindow(reader, { websiteId: scope.websiteId, window });
        return { rows, window, fields };
      },
    });
    if (found.ready) {
      if (found.value.rows.length === 0) refuseNoMethod(input);
      return page(found.value, input, context);
    }
    const same = input.cursor ?? encodeCursor({ after: startOf(window), window }, question(input, context));
    return { ...emptyPage(input, window), next_cursor: same, data_buffering: true };
  },
});

const methodsOfHttp: ReadonlySet<string> = new Set(METHODS);

/**
 * Scanners invent methods, so every method that a request has is accepted.
 * @throws PublicError invalid_request for a method that neither HTTP nor a request has.
 */
function refuseNoMethod({ method }: Input): void {
  if (method === undefined || methodsOfHttp.has(method.toUpperCase())) return;
  throw new PublicError(
    'invalid_request',
    `method: no request has the method "${shortened(method)}", and it is not an HTTP method; these are ${METHODS.join(', ')}`,
  );
}

interface Found {
  readonly rows: Awaited<ReturnType<typeof search>>;
  readonly window: Cursor['window'];
  readonly fields: Awaited<ReturnType<typeof dateWindow>>['fields'];
}

async function page({ rows, window, fields }: Found, input: Input, context: WebsiteContext) {
  const requests = await rowsWithin(rows.slice(0, input.limit).map(toRequestEntry));
  const last = rows.length > requests.length ? rows[requests.length - 1] : undefined;
  return {
    ...emptyPage(input, window),
    ...fields,
    requests,
    count: requests.length,
    next_cursor: last === undefined ? null : encodeCursor({ after: last, window }, question(input, context)),
  };
}

/** The start position: all rows of the window come after it. */
function startOf({ end }: Cursor['window']): Cursor['after'] {
  return {
    timestamp_ms: end,
    log_partition: 65_535,
    log_offset: Number.MAX_SAFE_INTEGER,
    log_index: 4_294_967_295,
  };
}

function emptyPage({ limit, page }: Input, window: Cursor['window']): z.input<typeof answer> {
  return {
    requests: null,
    count: null,
    limit,
    page,
    next_cursor: null,
    window: toAnswerWindow(window),
    data_buffering: false,
  };
}

/** All parameters that select rows. Names have a fixed order, so the order in the query string does not matter. */
function question(input: Input, { website }: WebsiteContext): unknown {
  const names = ['hours', 'start', 'end', 'countries', ...Object.keys(filterParameters)] as (keyof Input)[];
  return [website.id, names.map((name) => input[name] ?? null)];
}

function resolveOffset({ page, limit }: Input): number {
  const offset = (page - 1) * limit;
  if (offset > MAX_OFFSET) {
    throw new PublicError(
      'invalid_request',
      `page: expected at most ${Math.floor(MAX_OFFSET / limit) + 1} with limit ${limit}, got ${page}; use cursor`,
    );
  }
  return offset;
}

/** @throws PublicError invalid_request if no request can match both. */
function refuseOtherCountry(country: string | undefined, countries: readonly string[] | undefined): void {
  if (country === undefined || countries === undefined || countries.includes(country)) return;
  throw new PublicError('invalid_request', `country: ${country} is not in countries`);
}

function resolveFilters(input: Input): RequestFilters {
  const country = input.country?.toUpperCase();
  if (country !== undefined) refuseNoCountry('country', country);
  return {
    botName: input.bot_name,
    isBot: input.is_bot,
    botVerified: input.bot_verified,
    clientIp: input.client_ip,
    pathContains: input.path,
    status: input.status,
    statusClass: input.status_category === undefined ? undefined : statusClassOf(input.status_category),
    method: input.method?.toUpperCase(),
    country,
    userAgentContains: input.user_agent,
  };
}
