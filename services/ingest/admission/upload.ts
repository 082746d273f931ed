import type { BodyLimits, Encoding } from '../body/inflate.js';
import type { SplitOptions } from '../body/split-body.js';
import type { AcceptedTimes } from '../records/accepted-times.js';
import type { Source, UploadFacts } from '../sources/util/source.js';
import type { Meter } from './quota.js';

/** An admitted upload, with all that is known before its body. */
export interface Upload extends UploadFacts, SplitOptions {
  readonly id: string;
  readonly websiteId: string;
  /** Digest of the upload's name, the same in each repeat; null if it has no name. */
  readonly uploadKey: string | null;
  readonly encoding: Encoding;
  readonly times: AcceptedTimes;
  /** Named by the sender; null if it is detected. */
  readonly source: Source | null;
  /** Applies the website's byte rate. */
  readonly waitForRate: BodyLimits['waitForRate'];
  /** Counts against the website's quota. */
  readonly meter: Meter;
  /** Frees the upload's slot. */
  leave(): void;
}
