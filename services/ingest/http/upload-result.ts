import type { BodyProgress } from '../body/inflate.js';
import type { Tally } from '../outcomes/tally.js';

export interface UploadResult {
  readonly tally: Tally;
  readonly progress: BodyProgress;
  /** Requests that the log has. */
  readonly accepted: number;
  /** The error that ended the upload early; null if the log has all of it. */
  readonly failure: unknown;
}
