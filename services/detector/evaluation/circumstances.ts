import type { AlertSettings } from '../../../shared/alerts/settings.js';
import type { SharedNetworkOf } from '../../../shared/crawlers/shared-networks.js';

/** The inputs of an evaluation that are not in the website's state. */
export interface Circumstances {
  readonly settings: AlertSettings;
  /** Names of crawlers and bots without alerts, in lower case. */
  readonly suppressed: ReadonlySet<string>;
  /** When the website began, or ceased, to take bot traffic alone, milliseconds since the epoch; 0 or absent: never. */
  readonly takenChangedAt?: number;
  /** The network whose other clients a block of an address would affect, too. */
  readonly sharedNetworkOf: SharedNetworkOf;
}
