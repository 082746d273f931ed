import { z } from '@hono/zod-openapi';
import { llms } from '../../../shared/reads/ai/llms.js';
import type { Answer } from '../../../shared/reads/answer/answer.js';
import { botsAccess } from '../../../shared/reads/bots/bot-access.js';
import { bots } from '../../../shared/reads/bots/bots.js';
import { seo } from '../../../shared/reads/seo/seo.js';
import { statusConsistency } from '../../../shared/reads/seo/status-consistency.js';
import type { Scope } from '../../../shared/reads/sql/scope.js';
import { devices } from '../../../shared/reads/traffic/devices.js';
import { geography } from '../../../shared/reads/traffic/geography.js';
import { referrers } from '../../../shared/reads/traffic/referrers.js';
import { statusCodes } from '../../../shared/reads/traffic/status-codes.js';
import { summary } from '../../../shared/reads/traffic/summary.js';
import { traffic } from '../../../shared/reads/traffic/traffic.js';
import { urlPatterns } from '../../../shared/reads/url-patterns/url-patterns.js';
import { paths } from '../../../shared/reads/urls/paths.js';
import { url } from '../../../shared/reads/urls/url.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import type { ToolText } from '../language-model/language-model.js';

/** The scope of a tool, which the job alone determines: the model's text has no effect on it. */
export interface ToolScope {
  readonly reader: ClickHouseReader;
  readonly scope: Scope;
  /** The page of the insight. */
  readonly page: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A read of the API that the model may call. */
export interface Tool extends ToolText {
  /** @throws z.ZodError if the arguments do not match `parameters`; as ClickHouseReader.read */
  read(given: unknown, scope: ToolScope): Promise<unknown>;
}

/** The model sees few entries of a list, so no more are read. */
const LIST = 12;

const limit = z
  .int()
  .min(1)
  .max(LIST)
  .default(LIST)
  .openapi({ description: `Entries of the list, ${LIST} at most.` });
const bot = z.string().min(1).max(100).optional().openapi({
  description: 'Only this crawler, by its name or family; default: the crawlers of all search engines.',
});

/** @param input makes the read's input from the arguments */
function tool<Shape extends z.ZodRawShape, Input, Parameters extends z.ZodRawShape>(
  name: string,
  description: string,
  answer: Answer<Shape, Input>,
  parameters: z.ZodObject<Parameters>,
  input: (given: z.output<z.ZodObject<Parameters>>, scope: ToolScope) => NoInfer<Input>,
): Tool {
  const strict = z.strictObject(parameters.shape);
  return {
    name,
    description,
    parameters: z.toJSONSchema(strict, { io: 'input' }) as Record<string, unknown>,
    async read(given, asked) {
      const { reader, scope } = asked;
      const input_ = input(strict.parse(given) as z.output<z.ZodObject<Parameters>>, asked);
      const figures = await answer.read(reader, scope, input_);
      return answer.complete === undefined ? figures : answer.complete(reader, scope, input_, figures);
    },
  };
}

const none = z.object({});
const limited = z.object({ limit });
const ofCrawlers = z.object({ bot });
const given = <Input>(input: Input): Input => input;

/** All tools read sums and ranked lists. None shows single requests or client addresses. */
export const tools: readonly Tool[] = [
  tool(
    'summary',
    'Requests, classes of visitors (people, search bots, AI bots, spoofed bots), status classes, response times; `previous` is the window before, `deltas` the change in percent (pct) or percentage points (pp).',
    summary,
    none,
    given,
  ),
  tool('traffic', 'Requests over time, by class of visitor.', traffic, none, given),
  tool(
    'bots',
    'Bots by name and category, with how many of their requests are verified or spoofed.',
    bots,
    none,
    () => ({}),
  ),
  tool(
    'bots_access',
    'Which bots the website turns away (statuses 401, 403, 429 …).',
    botsAccess,
    limited,
    given,
  ),
  tool('status_codes', 'Requests by status, now and in the window before.', statusCodes, none, given),
  tool('paths', 'The paths with most requests.', paths, limited, given),
  tool('referrers', 'Where people come from.', referrers, limited, given),
  tool('devices', 'Browsers, operating systems and kinds of devices of people.', devices, none, given),
  tool('geography', 'Requests by country and city.', geography, none, given),
  tool(
    'search_crawlers',
    'What crawlers of search engines fetch: requests by crawler, status and file type.',
    seo,
    ofCrawlers,
    ({ bot }) => ({ bot, params_filter: 'all' as const }),
  ),
  tool(
    'url_patterns',
    'Patterns of URLs that search crawlers spend their requests on.',
    urlPatterns,
    ofCrawlers,
    ({ bot }) => {
      return { bot, params_filter: 'all' as const, min_urls: 5 };
    },
  ),
  tool(
    'status_consistency',
    'Pages that answer search crawlers with one status and then another.',
    statusConsistency,
    ofCrawlers,
    ({ bot }) => ({ bot, params_filter: 'all' as const, min_requests: 5, limit: LIST }),
  ),
  tool(
    'ai_crawlers',
    'What crawlers of AI assistants fetch, by what they fetch it for.',
    llms,
    limited,
    given,
  ),
];

/** Replaces the other tools if the insight is about one page, because those read whole websites. */
export const pageTools: readonly Tool[] = [
  tool(
    'page',
    'All about the page: its requests, bots, referrers, countries, search crawlers, sitemap and importance.',
    url,
    none,
    // From logs and sitemaps alone: data of connected services must not go to an external model.
    (_none, { page, now }) => ({ path: page, now, connection: null, crawl: null, analytics: null }),
  ),
  ...tools.filter(({ name }) => name === 'summary'),
];
