import type { BodyLimits, Encoding } from '../body/inflate.js';
import type { SplitOptions } from '../body/split-body.js';
import type { AcceptedTimes } from '../records/accepted-times.js';
import type { Source, UploadFacts } from '../sources/util/source.js';
import type { Meter } from './quota.js';

/** An admitted upload, with all that is known before its body. */
export interface Upload extends UploadFacts, SplitOptions {
  readonly id: string;
  readonly websiteId: string;
  /** What names the upload each time that it is sent; null: nothing does. */
  readonly uploadKey: string | null;
  readonly encoding: Encoding;
  readonly times: AcceptedTimes;
  /** Named by the sender; null: detected. */
  readonly source: Source | null;
  /** Of the website's bytes a second. */
  readonly pass: BodyLimits['pass'];
  /** Of the website's quota. */
  readonly meter: Meter;
  /** Frees the upload's slot. */
  leave(): void;
}
