import { z } from 'zod';
import type { Connection, ConnectionKind } from '../control/domain/model.js';
import type { KeyRing } from '../control/sealing/key-ring.js';
import { openSealedText, sealText } from '../control/sealing/sealed-text.js';

/**
 * Credential of an external service. It is sealed with the key of the website's organisation before it enters the
 * control log. Only the jobs service opens it, during a run.
 */

const text = z.string().min(1).max(10_000);

const googleCredential = z.discriminatedUnion('type', [
  /** From a service account's key file. */
  z.strictObject({ type: z.literal('service_account'), clientEmail: text, privateKey: text }),
  /** From an installed app with a person's consent. */
  z.strictObject({
    type: z.literal('oauth'),
    clientId: text,
    clientSecret: text,
    refreshToken: text,
  }),
]);

const apiKeyCredential = z.strictObject({ type: z.literal('api_key'), apiKey: text });

/** No service is called: the operator loads recorded data (deploy/admin/server/recorded-search.ts). */
const recorded = z.strictObject({ type: z.literal('recorded') });

export const credentialSchema = z.union([googleCredential, apiKeyCredential, recorded]);

export type GoogleCredential = z.output<typeof googleCredential>;
export type Credential = z.output<typeof credentialSchema>;

/** Whether the service accepts this type of credential. */
export function fits(kind: ConnectionKind, { type }: Credential): boolean {
  return type === 'recorded' || (type === 'api_key') === (kind === 'bing-webmaster');
}

interface Place {
  readonly websiteId: string;
  readonly kind: ConnectionKind;
}

/** @throws LogUnavailableError if the organisation's key cannot be made durable. */
export async function sealCredential(
  credential: Credential,
  { websiteId, kind, organisationId }: Place & { readonly organisationId: string },
  { ring, randomBytes }: { readonly ring: KeyRing; readonly randomBytes: (count: number) => Buffer },
): Promise<string> {
  const key = await ring.keyOf(organisationId);
  return sealText(JSON.stringify(credential), { key, randomBytes, context: contextOf({ websiteId, kind }) });
}

/** null: the key is deleted, or the credential has an unknown form. */
export async function openCredential(
  connection: Pick<Connection, 'websiteId' | 'kind' | 'credential'>,
  ring: Pick<KeyRing, 'find'>,
): Promise<Credential | null> {
  const opened = await openSealedText(connection.credential, ring, contextOf(connection));
  if (opened === null) return null;
  const read = credentialSchema.safeParse(JSON.parse(opened));
  return read.success ? read.data : null;
}

function contextOf({ websiteId, kind }: Place): string {
  return `connection ${websiteId} ${kind}`;
}
