import type { AlertSettings } from '../../../shared/alerts/settings.js';
import type { SharedNetworkOf } from '../../../shared/crawlers/shared-networks.js';

/** The inputs of an evaluation that are not in the website's state. */
export interface Circumstances {
  readonly settings: AlertSettings;
  /** Names of crawlers and bots without alerts, in lower case. */
  readonly suppressed: ReadonlySet<string>;
  /**
   * When the website last started or stopped accepting bot traffic only, milliseconds since the epoch; 0 or
   * absent: never.
   */
  readonly takenChangedAt?: number;
  /** The shared network of an address: blocking the address would also affect the network's other clients. */
  readonly sharedNetworkOf: SharedNetworkOf;
}
