import type { CrawlerRules } from '../../shared/crawlers/crawler-rules.js';
import { createJudge } from '../../shared/crawlers/judge-request.js';
import type { ReferrerList } from '../../shared/crawlers/referrers.js';
import type { ColumnBlock } from '../../shared/requests/columns/column-block-codec.js';
import {
  areAllNone,
  earliestOf,
  latestOf,
  NONE,
  type RequestColumns,
  type TextName,
} from '../../shared/requests/columns/request-columns.js';
import { lastDayOf } from '../../shared/requests/last-day.js';
import type { EnrichBlock, Facet, LocationFacts, TargetFacts } from './block/enriched-block.js';
import type { KeptOfVisitors } from './block/kept-of-visitors.js';
import { createClassifyReferrerStep } from './steps/classify-referrer.js';
import { fileTypeOf } from './steps/file-type.js';
import { type GroupedRows, groupRows, type IdColumn } from './steps/group-rows.js';
import type { Locate } from './steps/locate.js';
import { probesOf } from './steps/probe.js';
import { splitPathAndQuery } from './steps/split-path-and-query.js';
import type { DnsVerifier } from './verification/dns-verifier.js';

export interface EnrichDependencies {
  readonly rules: CrawlerRules;
  readonly dnsVerifier: Pick<DnsVerifier, 'verdictOf'>;
  readonly locate: Locate;
  readonly referrers: ReferrerList;
  /** Domain of a website; null if unknown, for example after its deletion. */
  websiteDomain(websiteId: string): string | null;
  /** Retention of the website's rows in days, which is also that of late verdicts. */
  retentionDays(websiteId: string): number;
  /** Which data the website stores about its visitors; absent: everything. */
  privacyOf?(websiteId: string): KeptOfVisitors;
  /** Most cached results for user agents and for referring hosts; about 1 KB each. */
  readonly cacheSize?: number;
}

/**
 * Creates the function that enriches a raw block. It is pure apart from caches, and except that a reverse-DNS
 * verdict may change between two calls. Each step runs once for all rows with equal inputs.
 */
export function createEnrich(deps: EnrichDependencies): EnrichBlock {
  const { rules, dnsVerifier, locate, websiteDomain, retentionDays, cacheSize = 20_000 } = deps;
  const judge = createJudge(rules, cacheSize);
  const referrers = createClassifyReferrerStep(deps.referrers, cacheSize);

  function judgementsOf(
    { website_id: websiteId, received_at, columns }: ColumnBlock,
    location: Facet<LocationFacts>,
  ) {
    const askDns = (family: string, clientIp: string) => {
      const lastDay = lastDayOf(received_at, retentionDays(websiteId));
      const verdict = dnsVerifier.verdictOf(family, clientIp, { websiteId, lastDay });
      // A late verdict is stored with the address for as long as the rows. If addresses expire earlier, it is
      // never stored.
      const forgets = (deps.privacyOf?.(websiteId).addressDays ?? null) !== null;
      return verdict === 'pending' && forgets ? 'unverifiable' : verdict;
    };
    const text = textsOf(columns);
    const alike = groupRows(columns.rows, [
      text.column('user_agent'),
      text.column('client_ip'),
      text.column('cdn_bot_category'),
      networksOf(columns),
      versionsOf(columns.timestamp, rules),
    ]);
    return facetOf(alike, (row) =>
      judge(
        {
          user_agent: text.at('user_agent', row),
          client_ip: text.at('client_ip', row),
          asn: location.values[location.ids[row]!]!.asn,
          timestamp: columns.timestamp[row]!,
          cdn_bot_category: text.at('cdn_bot_category', row),
        },
        askDns,
      ),
    );
  }

  function referralsOf({ website_id, columns }: ColumnBlock, target: Facet<TargetFacts>) {
    const text = textsOf(columns);
    const siteDomain = websiteDomain(website_id);
    const named = target.values.map(({ query }) => referrers.namedBy(query));
    const alike = groupRows(columns.rows, [
      text.column('referrer'),
      text.column('host'),
      byTarget(columns.rows, target.ids, named),
    ]);
    return facetOf(alike, (row) =>
      referrers.classify({
        referrer: text.at('referrer', row),
        named: named[target.ids[row]!]!,
        siteDomain,
        host: text.at('host', row),
      }),
    );
  }

  return (block) => {
    const { columns } = block;
    const target = targetsOf(columns);
    const location = locationsOf(columns, locate);
    const judgement = judgementsOf(block, location);
    return {
      columns,
      target,
      location,
      judgement,
      referral: referralsOf(block, target),
      isProbe: probesOf({ columns, target, judgement }),
    };
  };
}

function targetsOf(columns: RequestColumns): Facet<TargetFacts> {
  const text = textsOf(columns);
  const alike = groupRows(columns.rows, [text.column('target'), text.column('content_type')]);
  return facetOf(alike, (row) => {
    const { path, query, sent_target } = splitPathAndQuery(text.at('target', row));
    return { path, query, sent_target, file_type: fileTypeOf(path, text.at('content_type', row)) };
  });
}

function locationsOf(columns: RequestColumns, locate: Locate) {
  const text = textsOf(columns);
  const alike = groupRows(columns.rows, [
    text.column('client_ip'),
    text.column('source_country'),
    networksOf(columns),
  ]);
  return facetOf(alike, (row) => {
    const asn = columns.source_asn[row]!;
    return locate(text.at('client_ip', row), text.at('source_country', row), asn === NONE ? null : asn);
  });
}

/** Groups rows by the network that the log's source names. Without one, it follows from the address. */
function networksOf({ rows, source_asn }: RequestColumns): IdColumn {
  return areAllNone(source_asn) ? allAlike(rows) : idsOf(source_asn, (asn) => asn);
}

/** Groups rows by a text of their targets. */
function byTarget(rows: number, ids: ArrayLike<number>, said: readonly string[]): IdColumn {
  const sources = idsOf(said, (text) => text);
  // The usual case: a single group.
  if (sources.count <= 1) return sources;
  const byRow = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) byRow[row] = sources.ids[ids[row]!]!;
  return { ids: byRow, count: sources.count };
}

/** A facet with a value for each group. Consecutive groups with the same value share it. */
function facetOf<Value>({ ids, rows }: GroupedRows, tell: (row: number) => Value): Facet<Value> {
  const values: Value[] = [];
  const places = new Uint32Array(rows.length);
  for (let group = 0; group < rows.length; group += 1) {
    const value = tell(rows[group]!);
    if (values.length === 0 || value !== values[values.length - 1]) values.push(value);
    places[group] = values.length - 1;
  }
  if (values.length === rows.length) return { values, ids };
  const byRow = new Uint32Array(ids.length);
  for (let row = 0; row < byRow.length; row += 1) byRow[row] = places[ids[row]!]!;
  return { values, ids: byRow };
}

function textsOf({ texts }: RequestColumns) {
  return {
    column: (name: TextName): IdColumn => ({ ids: texts[name].ids, count: texts[name].texts.length }),
    at: (name: TextName, row: number): string => texts[name].texts[texts[name].ids[row]!]!,
  };
}

/**
 * Groups rows by their version of the rules. Versions are consecutive in time: if the first and the last time
 * have the same version, all have.
 */
function versionsOf(times: Float64Array, { versionAt }: CrawlerRules): IdColumn {
  if (times.length === 0) return allAlike(0);
  const isOne = versionAt(earliestOf(times)) === versionAt(latestOf(times));
  return isOne ? allAlike(times.length) : idsOf(times, versionAt);
}

function allAlike(rows: number): IdColumn {
  return { ids: new Uint8Array(rows), count: Math.min(rows, 1) };
}

/** Groups rows by a derived value, which neighbours often share. */
function idsOf<Value, Told>(values: ArrayLike<Value>, tell: (value: Value) => Told): IdColumn {
  const places = new Map<Told, number>();
  const ids = new Uint32Array(values.length);
  let last: Told | undefined;
  let lastPlace = 0;
  for (let row = 0; row < values.length; row += 1) {
    if (row === 0 || values[row] !== values[row - 1]) {
      const senderText = tell(values[row]!);
      if (row === 0 || senderText !== last) {
        last = senderText;
        lastPlace = places.get(senderText) ?? places.size;
        places.set(senderText, lastPlace);
      }
    }
    ids[row] = lastPlace;
  }
  return { ids, count: places.size };
}
