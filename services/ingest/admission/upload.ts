import type { BodyLimits, Encoding } from '../body/inflate.js';
import type { AcceptedTimes } from '../records/accepted-times.js';
import type { Sender } from '../senders/sender.js';
import type { Source, UploadFacts } from '../sources/util/source.js';
import type { Meter } from './quota.js';

/** An upload that was let in: what is known of it before its body. */
export interface Upload extends UploadFacts {
  readonly id: string;
  readonly websiteId: string;
  /** What names the upload each time that it is sent; null: nothing does. */
  readonly uploadKey: string | null;
  readonly encoding: Encoding;
  readonly times: AcceptedTimes;
  /** Named by the sender; null: detected. */
  readonly source: Source | null;
  readonly sender: Sender;
  /** Of the website's bytes a second. */
  readonly pass: BodyLimits['pass'];
  /** Of the website's quota. */
  readonly meter: Meter;
}
