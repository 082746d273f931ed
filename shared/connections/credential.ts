import { z } from 'zod';
import type { Connection, ConnectionKind } from '../control/domain/model.js';
import type { KeyRing } from '../control/sealing/key-ring.js';
import { openSealedText, sealText } from '../control/sealing/sealed-text.js';

/**
 * How an outside service is opened. It is sealed under the website's organisation's key before it reaches the control log, and opened
 * by the jobs service alone, for the time of a run.
 */

const text = z.string().min(1).max(10_000);

const googleCredential = z.discriminatedUnion('type', [
  /** Of a service account's key file. */
  z.strictObject({ type: z.literal('service_account'), clientEmail: text, privateKey: text }),
  /** Of an installed app that a person gave consent to. */
  z.strictObject({
    type: z.literal('oauth'),
    clientId: text,
    clientSecret: text,
    refreshToken: text,
  }),
]);

const apiKeyCredential = z.strictObject({ type: z.literal('api_key'), apiKey: text });

/** Nothing is called: the operator puts in what was recorded (deploy/admin/server/recorded-search.ts). */
const recorded = z.strictObject({ type: z.literal('recorded') });

export const credentialSchema = z.union([googleCredential, apiKeyCredential, recorded]);

export type GoogleCredential = z.output<typeof googleCredential>;
export type Credential = z.output<typeof credentialSchema>;

/** Which form a service takes. */
export function fits(kind: ConnectionKind, { type }: Credential): boolean {
  return type === 'recorded' || (type === 'api_key') === (kind === 'bing-webmaster');
}

interface Place {
  readonly websiteId: string;
  readonly kind: ConnectionKind;
}

/** @throws LogUnavailableError where the organisation's key can't be made durable. */
export async function sealCredential(
  credential: Credential,
  { websiteId, kind, organisationId }: Place & { readonly organisationId: string },
  { ring, randomBytes }: { readonly ring: KeyRing; readonly randomBytes: (count: number) => Buffer },
): Promise<string> {
  const key = await ring.keyOf(organisationId);
  return sealText(JSON.stringify(credential), { key, randomBytes, context: contextOf({ websiteId, kind }) });
}

/** null: its key is gone, or it is of another form than is known. */
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
