import { withoutAddress } from '../../../shared/detection/forget-address.js';
import type { NamesIt } from '../../../shared/requests/naming-address.js';
import { weightOf } from './held-minute.js';
import type { WebsiteSignals } from './website-signals.js';

/** Lets go of an address in the intervals that are still filled: closed ones are numbers. Mutates. @returns whether there was anything. */
export function forgetInSignals(website: WebsiteSignals, names: NamesIt): boolean {
  let isChanged = false;
  for (const [start, interval] of website.open) {
    const counts = withoutAddress(interval.counts, names);
    if (counts === interval.counts) continue;
    website.open.set(start, { ...interval, counts });
    website.openWeight += weightOf(counts) - weightOf(interval.counts);
    isChanged = true;
  }
  return isChanged;
}
