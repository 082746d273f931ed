import { createHmac } from 'node:crypto';
import type { WebhookSecret } from '../domain/model.js';
import type { KeyRing } from './key-ring.js';

/**
 * The secret that signs a website's webhooks, as its receiver gets it. It is derived from the organisation's key, which
 * is only in `control.keys`, and from a random text. So no copy of the control plane's state (a snapshot, a back-up of
 * ClickHouse) contains it, and erasing the organisation deletes it with the key.
 * @returns null if the key is deleted.
 */
export async function openWebhookSecret(
  ring: Pick<KeyRing, 'find'>,
  { id: websiteId, keyName, salt }: WebhookSecret,
): Promise<string | null> {
  const key = await ring.find(keyName);
  if (key === null) return null;
  return `llwhs_${createHmac('sha256', key).update(`webhook secret ${websiteId} ${salt}`).digest('base64url')}`;
}
