import { alertNames, withoutTexts } from '../../../shared/personal-data/erase-alert.js';
import type { NamesIt } from '../../../shared/personal-data/naming-address.js';
import type { OpenAlerts } from '../findings/merge.js';
import type { WebsiteState } from './website-state.js';

/**
 * Deletes every text of a website that names an address, for erasure. Baselines and counts stay, since they
 * are numbers over all requests. Later requests of the address are counted and raise alerts like any other.
 * Mutates.
 * @returns whether there was any text
 */
export function forgetAddress(state: WebsiteState, names: NamesIt): boolean {
  const { memory, found, open } = state;
  const forgotten = [
    forgetKeys(memory.bots, names),
    forgetKeys(memory.crawlers, names),
    forgetKeys(memory.unwelcome, names),
    forgetNames(state, names),
    forgetKeys(found.ends, names),
    forgetAlerts(open, names),
  ];
  return forgotten.includes(true);
}

/** Clients choose names and subjects, which may be an address. */
function forgetKeys(entries: Map<string, unknown>, names: NamesIt): boolean {
  const naming = [...entries.keys()].filter(names);
  for (const key of naming) entries.delete(key);
  return naming.length > 0;
}

function forgetNames({ memory }: WebsiteState, names: NamesIt): boolean {
  let isChanged = false;
  for (const crawler of memory.crawlers.values()) {
    const kept = crawler.named.filter(({ name }) => !names(name));
    isChanged ||= kept.length < crawler.named.length;
    crawler.named = kept;
  }
  return isChanged;
}

/**
 * An alert about the address is deleted; a repeat is a new alert. An alert with the address in its evidence
 * stays without its texts, and repeats join it.
 */
function forgetAlerts(open: OpenAlerts, names: NamesIt): boolean {
  let isChanged = false;
  for (const [fingerprint, alert] of open) {
    if (names(fingerprint)) open.delete(fingerprint);
    else if (alertNames(alert, names))
      open.set(fingerprint, { ...withoutTexts(alert), subject: alert.subject });
    else continue;
    isChanged = true;
  }
  return isChanged;
}
