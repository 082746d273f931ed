import type { CountedLists, SpanCounts } from './span-counts.js';

/** The spans to count: all spans of one length between two times, of several websites. */
export interface CountedSpans {
  readonly websiteIds: readonly string[];
  /** Milliseconds since the epoch, whole minutes. `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Length of each span: whole minutes. `to - from` is a multiple of it. */
  readonly lengthMs: number;
  readonly lists: CountedLists;
}

/** Counts by website and by the start of the span. Websites and spans without requests are absent. */
export type CountsByWebsite = ReadonlyMap<string, ReadonlyMap<number, SpanCounts>>;

/** @throws as `ClickHouseReader.read` */
export type ReadCounts = (spans: CountedSpans) => Promise<CountsByWebsite>;
