/**
 * Personal data in events: names, addresses, and texts that people wrote. All code that erases data from the log uses
 * this list. A test checks that every kind of event is in it or declared free of personal data.
 */

/** Replaces erased text. */
export const ERASED = '[erased]';

const erasedRules = [{ type: 'exact', value: ERASED }];

const segmentFields = (at: string) => ({
  [`${at}name`]: ERASED,
  [`${at}rules`]: erasedRules,
  [`${at}excludeRules`]: [],
  [`${at}notes`]: null,
});

/**
 * By kind of event: the path of a field in its data (`*`: each element of a list), and a placeholder that keeps the
 * data readable.
 */
const personalFields = new Map<string, Readonly<Record<string, unknown>>>([
  ['organisation.created', { name: ERASED }],
  ['organisation.customer_linked', { customerId: ERASED }],
  ['organisation.subscription_changed', { id: ERASED }],
  ['user.added', { email: ERASED }],
  ['website.added', { name: ERASED, domain: ERASED }],
  ['api_key.created', { name: ERASED, last4: '' }],
  ['api_key.connected', { name: ERASED, last4: '' }],
  ['segments.added', segmentFields('segments.*.')],
  ['segment.replaced', segmentFields('')],
  ['site_event.recorded', { title: ERASED, category: null, description: null, createdBy: ERASED }],
  ['bot.suppressed', { crawler: ERASED, reason: null }],
  ['bot.suppression_ended', { crawler: ERASED }],
  [
    // Names that people wrote, and URLs that anyone who knows them can post to.
    'alert_settings.changed',
    {
      'settings.suppressed_crawlers': [],
      'settings.suppressed_bots': [],
      'settings.webhook_urls': [],
    },
  ],
  ['export.requested', { filters: '{}', question: '{}', description: ERASED }],
  ['crawl.requested', { seeds: [] }],
  ['crawl.upload_announced', { filename: ERASED }],
  // A website's response, with its address.
  ['crawl.ended', { error: null }],
  ['crawl_settings.changed', { queryKeys: [] }],
  ['recommendation.resolved', { key: ERASED }],
  ['recommendation.reopened', { key: ERASED }],
  ['connection.made', { property: ERASED, propertyName: null, credential: '' }],
  ['idempotency_key.answered', { sealedAnswer: '' }],
]);

export const kindsWithPersonalFields: readonly string[] = [...personalFields.keys()];

/** Replaces every personal field in the event's data. */
export function mapPersonalFields(
  type: string,
  data: unknown,
  replace: (value: unknown, placeholder: unknown, path: string) => unknown,
): unknown {
  const fields = Object.entries(personalFields.get(type) ?? {});
  return fields.reduce(
    (changed, [path, placeholder]) =>
      at(changed, path.split('.'), (value) => replace(value, placeholder, path)),
    data,
  );
}

function at(data: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [field, ...rest] = path;
  if (field === undefined) return change(data);
  if (field === '*') return Array.isArray(data) ? data.map((element) => at(element, rest, change)) : data;
  if (typeof data !== 'object' || data === null) return data;
  const fields = data as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(fields, field)) return data;
  return { ...fields, [field]: at(fields[field], rest, change) };
}
