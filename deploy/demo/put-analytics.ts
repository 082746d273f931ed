import type { RecordedAnalytics } from '../../shared/control/admin/recorded-analytics.js';

/**
 * Connects the shop with web analytics that are recorded, not called.
 * @param post of the operator's commands. @throws what `post` throws.
 */
export async function putAnalytics(
  post: (path: string, body: unknown) => Promise<unknown>,
  websiteId: string,
  days: readonly RecordedAnalytics[],
): Promise<void> {
  await post('/connections', {
    ...{ websiteId, kind: 'google-analytics', property: '123456789', propertyName: 'Example Outdoor' },
    credential: { type: 'recorded' },
  });
  for (const day of days) await post('/recorded-analytics', day);
}
