import { suppressedSince } from '../../../../shared/control/aggregates/alert-settings.js';
import type { WebsiteContext } from '../../operation/operation.js';

/**
 * Subjects of the alerts that are snoozed (spec §3.4), in lower case: bots that are suppressed, and their families. Alerts of errors and absences have
 * the family as their subject, and a bot is suppressed by its own name. With each goes since when (milliseconds since the epoch).
 */
export function snoozedSubjects({ website, now, services }: WebsiteContext): ReadonlyMap<string, number> {
  const subjects = new Map<string, number>();
  for (const [name, since] of suppressedSince(services.control.state(), website.id, now))
    for (const subject of [name, services.crawlerFamily(name).toLowerCase()])
      subjects.set(subject, Math.min(since, subjects.get(subject) ?? since));
  return subjects;
}
