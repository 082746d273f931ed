import { alertNames, withoutTexts } from '../../../shared/personal-data/erase-alert.js';
import type { NamesIt } from '../../../shared/personal-data/naming-address.js';
import type { OpenAlerts } from '../findings/merge.js';
import type { WebsiteState } from './website-state.js';

/**
 * Lets go of every text of a website that names an address, for erasure. Baselines and counts stay: they are numbers of all requests.
 * What the address does from now on is counted and alerted of as anybody's is. Mutates. @returns whether there was any.
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

/** Names and subjects are foreign text, and may be an address. */
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
 * An alert about the address goes: found again, it is a new one. Of others that show it among their evidence, repeats still join, with an
 * alert without texts.
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
