import { suppressedSince } from '../../../../shared/control/aggregates/alert-settings.js';
import type { WebsiteContext } from '../../operation/operation.js';

/**
 * Subjects of snoozed alerts (spec §3.4), in lower case: suppressed bots and their families. A bot is suppressed by its own name, but
 * alerts of errors and absences have the family as subject.
 * @returns the start of the suppression of each subject, in milliseconds since the epoch.
 */
export function snoozedSubjects({ website, now, services }: WebsiteContext): ReadonlyMap<string, number> {
  const subjects = new Map<string, number>();
  for (const [name, since] of suppressedSince(services.control.state(), website.id, now))
    for (const subject of [name, services.crawlerFamily(name).toLowerCase()])
      subjects.set(subject, Math.min(since, subjects.get(subject) ?? since));
  return subjects;
}
