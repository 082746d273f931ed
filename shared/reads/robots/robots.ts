import { z } from '@hono/zod-openapi';
import { parseRobots, type RobotsFile } from '../../robots/parse-robots.js';
import {
  fetchOutcomes,
  inForceDuring,
  type VersionInForce,
  versionsInForce,
} from '../../robots/versions-in-force.js';
import { answer } from '../answer/answer.js';
import { count, loggedPath } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { bots as botsRollup, crawlerPaths } from '../sql/read-tables.js';
import type { Window } from '../sql/scope.js';
import { changedLines } from './changed-lines.js';
import {
  type RobotsVersion,
  readRobotsFetches,
  readRobotsVersions,
  type StoredRobotsFetch,
} from './robots-sql.js';
import { type FileInForce, findViolations, MAX_URLS, type Violation } from './robots-violations.js';

/** Maximum versions in one window by which requests are judged, newest first: each needs its own statements. */
const MAX_VERSIONS = 24;
const MAX_VIOLATIONS = 1_000;
const MAX_HISTORY = 100;
/** Versions whose difference to the version before is shown: each needs two files. */
const MAX_COMPARED = 10;
/** Maximum groups of the parsed form; the content has all groups. */
const MAX_GROUPS = 500;
const MAX_RULES = 5_000;

const hash = z.string().openapi({ description: 'SHA-256 of its bytes, hexadecimal.' });

const violation = z
  .object({
    bot_name: z.string().openapi({ example: 'Googlebot' }),
    path: loggedPath,
    requests: count('Requests for it that the rule disallowed at their time.'),
    rule: z.string().openapi({ description: 'As in the file.', example: 'Disallow: /cart/' }),
    example_url: z.string().openapi({
      description: 'The most requested of their URLs; a bare `?` at its end represents any query string.',
    }),
    last_seen: instant,
  })
  .openapi('RobotsViolation');

const rule = z.object({
  type: z.enum(['allow', 'disallow']),
  path: z.string().openapi({ description: 'As in the file.' }),
});

export interface RobotsInput {
  /** Domain of the website. */
  readonly domain: string;
  /** Whether the installation fetches from websites. */
  readonly fetchesWebsites: boolean;
  /** One crawler by its name, or several by their family. */
  readonly bot?: string | undefined;
}

export const robots = answer({
  schema: z.object({
    ...datedWindow,
    domain: z.string(),
    status: z.enum(['not_fetched_yet', 'fetching_is_off', ...fetchOutcomes]).openapi({
      description:
        'Result of the last fetch. not_fetched_yet: the website is new, and its file is fetched within minutes; fetching_is_off: this installation does not fetch from websites, and its operator has not added a file of this one; missing: it has none (4xx, or endless redirects), so everything is allowed; blocked: it rejected Loglane (401, 403, 429), but crawlers may get the file; server_error: 5xx; unreachable: no response.',
    }),
    fetched_at: instant.nullable().openapi({ description: 'Last fetch; null before the first one.' }),
    http_status: z.int().nullable().openapi({ description: 'null without a response.' }),
    problem: z.string().nullable().openapi({ description: 'Why the last fetch failed; null if it did not.' }),
    fetch_blocked: z.boolean().openapi({ description: 'The last fetch was rejected: 401, 403 or 429.' }),
    using_saved: z.boolean().openapi({
      description:
        'The last fetch failed. The last fetched version counts as in force for 30 days, as in Google’s rule.',
    }),
    raw_content: z.string().nullable().openapi({
      description: 'The version in force now; null if there is none. Bytes that are not UTF-8 are U+FFFD.',
    }),
    is_truncated: z.boolean().openapi({
      description: 'The file is longer than the 500 KiB that crawlers read; raw_content has that part.',
    }),
    rule_groups: z
      .array(
        z.object({
          user_agent: z.string().openapi({ description: 'Product token; * for all crawlers.', example: '*' }),
          rules: z.array(rule),
        }),
      )
      .nullable()
      .openapi({
        description: `null if no version in force is known. One entry for each user agent, with the rules of all groups that name it; at most ${MAX_GROUPS} entries and ${MAX_RULES} rules.`,
      }),
    sitemaps: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'null if no version in force is known.' }),
    violations: z
      .array(violation)
      .nullable()
      .openapi({ description: `Most requests first, at most ${MAX_VIOLATIONS}; null: nothing was judged.` }),
    violations_total: count('All entries, before the list was cut; null: nothing was judged.').nullable(),
    violations_complete: z.boolean().openapi({
      description: `Whether all requests since judged_since were judged. false: none was; or a version had more than ${MAX_URLS} pairs of URL and crawler, so only the most requested were judged; or more than ${MAX_VERSIONS} versions were in force in the window, so only the newest were; or the time limit of an answer was reached.`,
    }),
    judged_since: instant.nullable().openapi({
      description:
        'Earlier requests were not judged, because the version in force then is unknown. null: no request of the window was judged.',
    }),
    violation_summary: z
      .record(
        z.string(),
        z.object({
          total_violations: count('Entries of violations, before the list was cut.'),
          total_requests: count('Requests in them.'),
          unique_paths: count('Distinct paths in them.'),
        }),
      )
      .nullable()
      .openapi({ description: 'By bot_name; null: nothing was judged.' }),
    history: z
      .array(
        z.object({
          hash: hash.nullable(),
          from: instant.openapi({ description: 'Time of its first fetch.' }),
          until: instant.nullable().openapi({ description: 'null: it is in force.' }),
          added_lines: z
            .array(z.string())
            .nullable()
            .openapi({
              description: `Lines that the version before lacks, at most 100; their order does not count. null: the first version, or older than the ${MAX_COMPARED} newest.`,
            }),
          removed_lines: z.array(z.string()).nullable().openapi({
            description: 'Lines of the version before that this one lacks, with the same bounds.',
          }),
        }),
      )
      .openapi({
        description: `Versions, newest first, at most ${MAX_HISTORY}. A null hash: there was no file.`,
      }),
    is_new_version: z.boolean().openapi({
      description: 'The version in force now replaced another one inside the window.',
    }),
    current_hash: hash.nullable().openapi({ description: 'Hash of the version in force now.' }),
  }),
  from: [[botsRollup, crawlerPaths], [crawlerPaths]],
  async read(reader, scope, { domain, fetchesWebsites, bot }: RobotsInput) {
    const [dated, fetches] = await Promise.all([
      dateWindow(reader, scope),
      readRobotsFetches(reader, scope.websiteId),
    ]);
    // The version in force is that of now, for any window. Fetches are daily, so the newest fetch is close to now.
    const now = Math.max(scope.window.end, fetches.at(-1)?.fetchedAt ?? 0);
    const versions = versionsInForce(fetches, now);
    const parts = inForceDuring(versions, scope.window);
    const newest = parts.slice(-MAX_VERSIONS);
    const current = currentOf(versions);
    const compared = versions.slice(-MAX_COMPARED - 1);
    const hashes = new Set([...newest, ...compared].map((part) => part.hash));
    hashes.add(current?.hash ?? '');
    hashes.delete('');
    const contents = await readRobotsVersions(reader, scope.websiteId, [...hashes]);
    const parse = (version: string) => parseRobots(contents.get(version)?.content ?? '');
    // The current file is parsed once, because the answer shows it and judges requests by it. Other files are parsed for judging and
    // released.
    const currentFile = current === null ? null : parse(current.hash);
    const { violations, isComplete } = await findViolations(reader, scope, {
      inForce: newest.map(
        ({ hash: version, start, end }): FileInForce => ({
          read: () => (version === current?.hash && currentFile !== null ? currentFile : parse(version)),
          start,
          end,
        }),
      ),
      bot,
    });
    const differences = differencesOf(compared, (version) => contents.get(version)?.content ?? '');
    return {
      ...dated.fields,
      domain,
      ...toFetchFields(fetches.at(-1), current, fetchesWebsites),
      ...toContentFields(currentFile, contents.get(current?.hash ?? '')),
      ...toJudgedFields(newest, violations, isComplete && newest.length === parts.length),
      history: versions
        .toReversed()
        .slice(0, MAX_HISTORY)
        .map(({ hash: version, from, until }) => ({
          added_lines: null,
          removed_lines: null,
          hash: version === '' ? null : version,
          from: toInstant(from),
          until: until === null ? null : toInstant(until),
          ...differences.get(from),
        })),
      is_new_version: versions.length > 1 && current !== null && isIn(scope.window, current.from),
      current_hash: current === null || current.hash === '' ? null : current.hash,
    };
  },
});

/** By the start of a version: the lines in which it differs from the one before. */
function differencesOf(versions: readonly VersionInForce[], textOf: (hash: string) => string) {
  return new Map(
    versions.slice(1).map(({ hash: version, from }, index) => {
      const { added, removed } = changedLines(textOf(versions[index]!.hash), textOf(version));
      return [from, { added_lines: added, removed_lines: removed }];
    }),
  );
}

const isIn = ({ start, end }: Window, time: number) => time >= start && time < end;

function currentOf(versions: readonly VersionInForce[]): VersionInForce | null {
  const newest = versions.at(-1);
  return newest?.until === null ? newest : null;
}

/** @param versions in force inside the window, oldest first; none: no request can be judged. */
function toJudgedFields(
  [oldest]: readonly { start: number }[],
  violations: readonly Violation[],
  isComplete: boolean,
) {
  if (oldest === undefined)
    return {
      violations: null,
      violations_total: null,
      violations_complete: false,
      judged_since: null,
      violation_summary: null,
    };
  return {
    violations: violations.slice(0, MAX_VIOLATIONS).map(toViolation),
    violations_total: violations.length,
    violations_complete: isComplete,
    judged_since: toInstant(oldest.start),
    violation_summary: summarise(violations),
  };
}

function toFetchFields(
  last: StoredRobotsFetch | undefined,
  current: VersionInForce | null,
  fetchesWebsites: boolean,
) {
  const hasFailed = last !== undefined && last.outcome !== 'found' && last.outcome !== 'missing';
  return {
    status: last?.outcome ?? (fetchesWebsites ? ('not_fetched_yet' as const) : ('fetching_is_off' as const)),
    fetched_at: last === undefined ? null : toInstant(last.fetchedAt),
    http_status: last === undefined || last.httpStatus === 0 ? null : last.httpStatus,
    problem: last === undefined || last.problem === '' ? null : last.problem,
    fetch_blocked: last?.outcome === 'blocked',
    using_saved: hasFailed && current !== null,
  };
}

/** @param file the parsed version in force; null: unknown. @param version its content; absent if there is no file. */
function toContentFields(file: RobotsFile | null, version: RobotsVersion | undefined) {
  if (file === null) return { raw_content: null, is_truncated: false, rule_groups: null, sitemaps: null };
  return {
    raw_content: version?.content ?? null,
    is_truncated: version?.isTruncated ?? false,
    rule_groups: groupsOf(file),
    sitemaps: [...file.sitemaps],
  };
}

function groupsOf({ groups }: RobotsFile) {
  const byAgent = new Map<string, { user_agent: string; rules: z.input<typeof rule>[] }>();
  let left = MAX_RULES;
  for (const { userAgents, rules } of groups) {
    for (const agent of new Set(userAgents)) {
      const key = agent.toLowerCase();
      if (!byAgent.has(key) && byAgent.size === MAX_GROUPS) continue;
      const ofAgent = byAgent.get(key) ?? { user_agent: agent, rules: [] };
      byAgent.set(key, ofAgent);
      const taken = rules.slice(0, left);
      left -= taken.length;
      ofAgent.rules.push(...taken.map(({ type, path }) => ({ type, path })));
    }
  }
  return [...byAgent.values()];
}

function toViolation({ botName, path, rule: broken, requests, lastSeen, example }: Violation) {
  return {
    bot_name: botName,
    path,
    requests,
    rule: `Disallow: ${broken.path}`,
    example_url: example,
    last_seen: toInstant(lastSeen),
  };
}

function summarise(violations: readonly Violation[]) {
  const byBot = new Map<string, { total_violations: number; total_requests: number; paths: Set<string> }>();
  for (const { botName, path, requests } of violations) {
    const ofBot = byBot.get(botName) ?? { total_violations: 0, total_requests: 0, paths: new Set() };
    byBot.set(botName, ofBot);
    ofBot.total_violations += 1;
    ofBot.total_requests += requests;
    ofBot.paths.add(path);
  }
  return Object.fromEntries(
    [...byBot].map(([name, { total_violations, total_requests, paths }]) => [
      name,
      { total_violations, total_requests, unique_paths: paths.size },
    ]),
  );
}
