import { suppressedNamesOf } from '../../../../shared/control/aggregates/alert-settings.js';
import type { WebsiteContext } from '../../operation.js';

/**
 * Subjects of the alerts that are snoozed (spec §3.4), in lower case: bots that are suppressed, and their families. Alerts of errors and absences have
 * the family as their subject, and a bot is suppressed by its own name.
 */
export function snoozedSubjects({ website, now, services }: WebsiteContext): ReadonlySet<string> {
  const names = suppressedNamesOf(services.control.state(), website.id, now);
  return new Set([...names].flatMap((name) => [name, services.crawlerFamily(name).toLowerCase()]));
}
