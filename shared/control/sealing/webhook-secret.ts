import { createHmac } from 'node:crypto';
import type { WebhookSecret } from '../domain/model.js';
import type { KeyRing } from './key-ring.js';

/**
 * What a website's webhooks are signed with, as its receiver gets it: made of the organisation's key, which stands in `control.keys`
 * alone, and of a random text. So no copy of the control plane's state (a snapshot, a back-up of ClickHouse) holds it, and it goes with the
 * key when the organisation is erased.
 * @returns null where the key is gone.
 */
export async function openWebhookSecret(
  ring: Pick<KeyRing, 'find'>,
  { id: websiteId, keyName, salt }: WebhookSecret,
): Promise<string | null> {
  const key = await ring.find(keyName);
  if (key === null) return null;
  return `llwhs_${createHmac('sha256', key).update(`webhook secret ${websiteId} ${salt}`).digest('base64url')}`;
}
