import type { Logger } from '../../../shared/logging/log.js';
import type { ApiServices } from '../operation/operation.js';

export interface OAuthOptions {
  readonly services: ApiServices;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Buffer;
  readonly logger: Logger;
}
