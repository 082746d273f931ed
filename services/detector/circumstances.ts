import type { AlertSettings } from '../../shared/alerts/settings.js';
import type { SharedNetworkOf } from '../../shared/crawlers/shared-networks.js';

/** What stands outside of a website's state when an interval of it is judged. */
export interface Circumstances {
  readonly settings: AlertSettings;
  /** Names of crawlers and bots that nobody is alerted of, in lower case. */
  readonly suppressed: ReadonlySet<string>;
  /** When the website began, or ceased, to take bot traffic alone, milliseconds since the epoch; 0 or absent: never. */
  readonly takenChangedAt?: number;
  /** Whom else one meets who blocks an address. */
  readonly sharedNetworkOf: SharedNetworkOf;
}
