import type { CountedLists, SpanCounts } from './span-counts.js';

/** Which spans of which websites are counted: neighbours of one length. */
export interface CountedSpans {
  readonly websiteIds: readonly string[];
  /** Milliseconds since the epoch, whole minutes. `to` is not in it. */
  readonly from: number;
  readonly to: number;
  /** Of each span: whole minutes. `to - from` is a multiple of it. */
  readonly lengthMs: number;
  readonly lists: CountedLists;
}

/** Of each website its spans with requests, by their beginnings. A website or a span without any is absent. */
export type CountsByWebsite = ReadonlyMap<string, ReadonlyMap<number, SpanCounts>>;

/** @throws as `ClickHouseReader.read` */
export type ReadCounts = (spans: CountedSpans) => Promise<CountsByWebsite>;
