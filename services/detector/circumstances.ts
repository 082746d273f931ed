import type { AlertSettings } from '../../shared/alerts/settings.js';
import type { SharedNetworkOf } from '../../shared/crawlers/shared-networks.js';

/** What stands outside of a website's state when an interval of it is judged. */
export interface Circumstances {
  readonly settings: AlertSettings;
  /** Names of crawlers and bots that nobody is alerted of, in lower case. */
  readonly suppressed: ReadonlySet<string>;
  /** Whom else one meets who blocks an address. */
  readonly sharedNetworkOf: SharedNetworkOf;
}
