import type { WebsiteContext } from '../../services/api/operation/operation.js';
import { resolveScope, type ScopeInput } from '../../services/api/operation/resolve-scope.js';
import type { Segment } from '../../shared/control/domain/model.js';
import { createFamilyOf } from '../../shared/crawlers/canonical-name.js';
import { loadRuleData } from '../../shared/crawlers/crawler-rules.js';
import { aiDetectionOf, loadReferrerList } from '../../shared/crawlers/referrers.js';
import type { Filters } from '../../shared/reads/sql/filters.js';
import { previousWindow, type Window } from '../../shared/reads/sql/scope.js';
import type { ClickHouse, ClickHouseWriter } from '../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { inSegment } from '../harness/in-segment.js';
import { insertStored, type StoredRequest } from '../harness/stored-requests.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';
import { DAY, HOUR, type Rows, type Truth, verificationOf } from './counting.js';
import { laterVerdicts, NOW, randomRequests, type Verdict } from './random-requests.js';

/**
 * The data of the truth tests: random requests of two websites, inserted out of order in several batches,
 * with verdicts that came after the rows. The second website shares addresses, paths and bots with the first,
 * so one leaked row is one difference. A third website has no requests.
 */
export interface TruthWorld {
  /** By website. */
  readonly requests: Readonly<Record<string, Rows>>;
  readonly verdicts: readonly Verdict[];
  readonly clickhouse: ClickHouse;
  /** The context of an operation's run; it never buffers. */
  contextOf(websiteId: string): WebsiteContext;
  /** The rows for a read of this input; its segment must belong to the website. */
  truthOf(websiteId: string, input: ScopeInput): Truth;
  stop(): Promise<void>;
}

const BATCHES = 6;
/** Longer than the tests, and before DateTime ends (2106). */
const RETENTION_DAYS = 25_000;

export async function startTruthWorld(segments: readonly Segment[] = []): Promise<TruthWorld> {
  const engine = await startTestClickHouse();
  const requests: Record<string, StoredRequest[]> = {
    shop: randomRequests('shop', 14_000, 20_261_103),
    rival: randomRequests('rival', 5_000, 7),
    silent: [],
  };
  const all = [...requests.shop!, ...requests.rival!].map((request) => ({ ...request, received_at: NOW }));
  for (let batch = 0; batch < BATCHES; batch++) {
    await insertStored(
      engine.clickhouse,
      all.filter((_, index) => (index * 7) % BATCHES === batch),
      { deduplicationToken: `batch-${batch}`, retentionDays: RETENTION_DAYS },
    );
  }
  const verdicts = laterVerdicts(all);
  await insertEach(engine.clickhouse, ['shop', 'rival'], verdicts);

  return truthWorldOf(engine, { requests, verdicts, now: NOW, domain: 'www.example.com', segments });
}

interface Told {
  readonly requests: TruthWorld['requests'];
  readonly verdicts: readonly Verdict[];
  /** The current time of every read. */
  readonly now: number;
  readonly domain: string;
  readonly segments?: readonly Segment[];
}

/** @param engine with the requests and the verdicts; the world stops it */
export function truthWorldOf(
  engine: TestClickHouse,
  { requests, verdicts, now, domain, segments = [] }: Told,
): TruthWorld {
  const contextOf = (websiteId: string) =>
    ({
      website: { id: websiteId, domain, organisationId: 'org' },
      now,
      services: {
        reader: engine.clickhouse,
        control: segmentsOnly(segments),
        aiDetection: aiDetectionOf(loadReferrerList()),
        crawlerName: (name: string) => name,
        crawlerFamily: createFamilyOf(loadRuleData().table),
        sharedNetworkOf: () => null,
        isSearchCrawler: () => false,
        fetchesWebsites: true,
        slowReads: {
          isUnderWay: () => false,
          isFinished: () => false,
          answer: async (
            _key: string,
            _owner: string,
            read: (timeLeft: () => number) => Promise<unknown>,
          ) => ({
            ready: true,
            value: await read(() => 30_000),
          }),
        },
      },
    }) as unknown as WebsiteContext;

  return {
    requests,
    verdicts,
    clickhouse: engine.clickhouse,
    contextOf,
    truthOf(websiteId, input) {
      const { window, filters } = resolveScope(input, contextOf(websiteId));
      const { countries = [], segment = null } = filters;
      const before = previousWindow(window);
      const rowsOf = ({ start, end }: Window) =>
        requests[websiteId]!.filter(
          (row) =>
            row.timestamp >= start &&
            row.timestamp < end &&
            (countries.length === 0 || countries.includes(row.country)) &&
            passes(filters, row, verdicts) &&
            (segment === null || inSegment(segment, row)),
        );
      const own = requests[websiteId]!.map((row) => Math.floor(row.timestamp / HOUR) * HOUR);
      const since = own.length === 0 ? null : Math.min(...own);
      return {
        now: rowsOf(window),
        before: rowsOf(before),
        website: requests[websiteId]!,
        window,
        previousWindow: before,
        verdicts,
        since,
        completeSince: lastGapEnd(own),
        namesBot: [filters.bot, filters.botName, filters.botFamily].some((name) => name !== undefined),
        isOfNamedBot: ({ bot_name, bot_family }) =>
          (isNamed(filters.bot, bot_name) || isNamed(filters.bot, bot_family)) &&
          isNamed(filters.botName, bot_name) &&
          isNamed(filters.botFamily, bot_family),
        verifiedOnly: filters.botVerified === true,
      };
    },
    stop: () => engine.stop(),
  };
}

/** The hour after the last gap: more than a day, and ten times the mean distance of the hours. */
function lastGapEnd(starts: readonly number[]): number | null {
  const hours = [...new Set(starts)].sort((a, b) => a - b);
  const [first, last] = [hours[0], hours.at(-1)];
  if (first === undefined || last === undefined) return null;
  const gap = Math.max(DAY, (10 * (last - first)) / Math.max(hours.length - 1, 1));
  return hours.findLast((hour, place) => place > 0 && hour - hours[place - 1]! > gap) ?? first;
}

const classOf = (status: number) => (status >= 100 && status < 600 ? Math.trunc(status / 100) : 0);

const isNamed = (wanted: string | undefined, name: string) =>
  wanted === undefined || name.toLowerCase() === wanted.toLowerCase();

/** Every filter except countries and the segment. */
function passes(filters: Filters, row: StoredRequest, verdicts: readonly Verdict[]): boolean {
  const { hosts, bot, botName, botFamily, botVerified, fileTypes, hasQuery, status, statusClass } = filters;
  return (
    (hosts === undefined || hosts.includes(row.host)) &&
    isNamed(botName, row.bot_name) &&
    isNamed(botFamily, row.bot_family) &&
    (isNamed(bot, row.bot_name) || isNamed(bot, row.bot_family)) &&
    (botVerified === undefined || verificationOf(row, verdicts) === (botVerified ? 'verified' : 'spoofed')) &&
    (status === undefined || row.status === status) &&
    (fileTypes === undefined || fileTypes.includes(row.file_type)) &&
    (hasQuery === undefined || (row.query !== '') === hasQuery) &&
    (statusClass === undefined || classOf(row.status) === statusClass)
  );
}

function segmentsOnly(segments: readonly Segment[]) {
  const of = (websiteId: string) => segments.filter((segment) => segment.websiteId === websiteId);
  return {
    segment: (websiteId: string, id: string) => of(websiteId).find((segment) => segment.id === id) ?? null,
    state: () => ({
      connections: { get: () => undefined },
      crawls: { get: () => undefined, by: () => [] },
      resolutions: { get: () => undefined },
      segments: { by: (_field: 'websiteId', websiteId: string) => of(websiteId) },
    }),
  };
}

/**
 * Each website's family and address first gets the opposite verdict: the later one counts. A later verdict of
 * another website counts only there.
 */
async function insertEach(
  writer: ClickHouseWriter,
  websiteIds: readonly string[],
  given: readonly Verdict[],
) {
  const now = Date.now();
  const opposite = { verified: 'spoofed', spoofed: 'verified', unverifiable: 'verified' } as const;
  const revised = given.map((verdict) => ({ ...verdict, status: opposite[verdict.status] }));
  const decided = (websiteId: string, verdicts: readonly Verdict[], decidedAt: number) =>
    verdicts.map(({ bot_family: family, client_ip: clientIp, status }) => ({
      websiteId,
      family,
      clientIp,
      status,
      decidedAt,
    }));
  await insertVerdicts(writer, decided('stranger', revised, now), 'stranger');
  await insertVerdicts(
    writer,
    websiteIds.flatMap((id) => decided(id, given, now - 30_000)),
    'final',
  );
  await insertVerdicts(
    writer,
    websiteIds.flatMap((id) => decided(id, revised, now - 60_000)),
    'revised',
  );
}
