import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { credentialSchema, fits, sealCredential } from '../../../shared/connections/credential.js';
import { readSourceSyncs } from '../../../shared/connections/source-syncs.js';
import { type ShownConnection, shownConnection } from '../../../shared/control/aggregates/connection.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { connectionKinds } from '../../../shared/control/domain/model.js';
import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import { PublicError } from '../../../shared/errors.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';

/** Connections of websites to outside services. */

interface ConnectionOptions {
  readonly control: ControlPlane;
  /** Seals credentials. */
  readonly ring?: KeyRing | undefined;
  /** Absent: the results of syncs are unknown. */
  readonly clickhouse?: ClickHouseReader | undefined;
}

export const connectionWish = z.strictObject({
  websiteId: z.string(),
  kind: z.enum(connectionKinds),
  property: z.string(),
  propertyName: z.string().nullable().default(null),
  credential: credentialSchema,
});

/** The connections of all websites, or of one, each with the result of its last sync. */
export async function listConnections(
  filter: string | undefined,
  { control, clickhouse }: ConnectionOptions,
) {
  const rows = [...control.state().connections.values()].filter(
    ({ websiteId }) => filter === undefined || websiteId === filter,
  );
  const syncs = rows.length === 0 || clickhouse === undefined ? [] : await readSourceSyncs(clickhouse);
  return rows.map((connection) => {
    const { lastSyncAt = null, problem = null } =
      syncs.find(({ sourceId }) => sourceId === connection.sourceId) ?? {};
    const at = lastSyncAt === null ? null : new Date(lastSyncAt).toISOString();
    return { ...shownConnection(connection), lastSyncAt: at, problem };
  });
}

/** Connects a website, and seals its plain-text credential. @throws PublicError, LogUnavailableError */
export async function connectService(
  { credential, ...given }: z.output<typeof connectionWish>,
  { control, ring }: ConnectionOptions,
): Promise<ShownConnection> {
  const { websiteId, kind } = given;
  const website = control.state().websites.get(websiteId);
  if (website === undefined) throw new PublicError('not_found', `there is no website "${websiteId}"`);
  if (!fits(kind, credential))
    throw new PublicError('invalid_request', `credential: ${kind} needs another type of credential`);
  if (ring === undefined) throw new PublicError('unavailable', 'no log with encryption keys is configured');
  const place = { websiteId, kind, organisationId: website.organisationId };
  const sealed = await sealCredential(credential, place, { ring, randomBytes });
  const outcome = await control.execute({ type: 'connectSource', ...given, credential: sealed }, 'admin');
  if ('refusal' in outcome) throw new PublicError(outcome.refusal.code, outcome.refusal.detail);
  return outcome.answer;
}
