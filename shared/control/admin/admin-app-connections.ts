import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { z } from 'zod';
import { credentialSchema, fits, sealCredential } from '../../connections/credential.js';
import { PublicError } from '../../errors.js';
import { type ShownConnection, shownConnection } from '../aggregates/connection.js';
import type { ControlPlane } from '../control-plane.js';
import { connectionKinds } from '../model.js';
import type { KeyRing } from '../sealing/key-ring.js';
import { readBody } from './read-input.js';

/** How the last reading of each source went, by its id (shared/queries/source-syncs.ts). */
export type SourceProblems = () => Promise<
  ReadonlyMap<string, { readonly lastSyncAt: string | null; readonly problem: string | null }>
>;

export interface ConnectionRoutesOptions {
  readonly control: ControlPlane;
  /** What credentials are sealed with. */
  readonly ring?: KeyRing | undefined;
  /** Absent: there is no ClickHouse to ask. */
  readonly sourceProblems?: SourceProblems | undefined;
}

const givenConnection = z.strictObject({
  websiteId: z.string(),
  kind: z.enum(connectionKinds),
  property: z.string(),
  propertyName: z.string().nullable().default(null),
  credential: credentialSchema,
});

/** The outside services that websites are connected with. A credential comes in here in clear and goes no further so. */
export function addConnectionRoutes(app: Hono, options: ConnectionRoutesOptions): void {
  const { control } = options;
  app.post('/connections', async (context) => {
    const { credential, ...given } = readBody(givenConnection, await context.req.text());
    return context.json({ answer: await connect(options, given, credential) });
  });

  app.get('/connections', async (context) => {
    const wanted = context.req.query('filter');
    const rows = [...control.state().connections.values()].filter(
      ({ websiteId }) => wanted === undefined || websiteId === wanted,
    );
    const problems = rows.length === 0 ? undefined : await options.sourceProblems?.();
    return context.json({
      rows: rows.map((connection) => ({
        ...shownConnection(connection),
        lastSyncAt: problems?.get(connection.sourceId)?.lastSyncAt ?? null,
        problem: problems?.get(connection.sourceId)?.problem ?? null,
      })),
    });
  });
}

async function connect(
  { control, ring }: ConnectionRoutesOptions,
  given: Omit<z.output<typeof givenConnection>, 'credential'>,
  credential: z.output<typeof credentialSchema>,
): Promise<ShownConnection> {
  const { websiteId, kind } = given;
  const website = control.state().websites.get(websiteId);
  if (website === undefined) throw new PublicError('not_found', `there is no website "${websiteId}"`);
  if (!fits(kind, credential))
    throw new PublicError('invalid_request', `credential: ${kind} takes another form`);
  if (ring === undefined) throw new PublicError('unavailable', 'there is no log that holds keys');
  const place = { websiteId, kind, organisationId: website.organisationId };
  const sealed = await sealCredential(credential, place, { ring, randomBytes });
  const outcome = await control.execute({ type: 'connectSource', ...given, credential: sealed }, 'admin');
  if ('refusal' in outcome) throw new PublicError(outcome.refusal.code, outcome.refusal.detail);
  return outcome.answer;
}
