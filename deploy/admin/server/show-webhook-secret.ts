import { z } from 'zod';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import { openWebhookSecret } from '../../../shared/control/sealing/webhook-secret.js';
import { PublicError } from '../../../shared/errors.js';

export const webhookSecretWish = z.strictObject({
  websiteId: z.string(),
  /** Replaces the secret; the old one is no longer valid. */
  isNew: z.boolean().default(false),
});

export interface ShownWebhookSecret {
  readonly websiteId: string;
  readonly createdAt: string;
  readonly secret: string;
}

/** @returns the webhook secret of a website; creates it if there is none. @throws PublicError, LogUnavailableError */
export async function showWebhookSecret(
  { websiteId, isNew }: z.output<typeof webhookSecretWish>,
  { control, ring }: { readonly control: ControlPlane; readonly ring?: KeyRing | undefined },
): Promise<ShownWebhookSecret> {
  const website = control.state().websites.get(websiteId);
  if (website === undefined) throw new PublicError('not_found', `there is no website "${websiteId}"`);
  if (ring === undefined) throw new PublicError('unavailable', 'no log with encryption keys is configured');
  const { name: keyName } = await ring.keyOf(website.organisationId);
  const outcome = await control.execute({ type: 'makeWebhookSecret', websiteId, keyName, isNew }, 'admin');
  if ('refusal' in outcome) throw new PublicError(outcome.refusal.code, outcome.refusal.detail);
  const secret = await openWebhookSecret(ring, outcome.answer);
  if (secret === null)
    throw new PublicError('conflict', 'the key of the secret is lost: create a new secret with --new');
  return { websiteId, createdAt: outcome.answer.createdAt, secret };
}
