import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ControlPlane, Outcome } from '../../../shared/control/control-plane.js';
import { DEMO_ORGANISATION, isDemo } from '../../../shared/control/domain/demo-organisation.js';
import type { Organisation, Website } from '../../../shared/control/domain/model.js';
import { PublicError } from '../../../shared/errors.js';
import type { Logger } from '../../../shared/logging/log.js';
import { replaceFile } from './replace-file.js';

/** The demo organisation of a new standalone installation, and the file with its keys. */

const DOMAIN = 'example.com';
export const CREDENTIALS_FILE = 'credentials.json';

export const credentialsSchema = z.object({
  base_url: z.string(),
  ingest_url: z.string(),
  website_id: z.string(),
  ingest_key: z.string(),
  api_key: z.string(),
});
export type Credentials = z.infer<typeof credentialsSchema>;

export interface DemoOptions extends DemoAddresses {
  readonly dataDir: string;
  readonly logger: Logger;
}

interface DemoAddresses {
  readonly baseUrl: string;
  readonly ingestUrl: string;
}

/**
 * The first start creates the organisation, its website and keys, and writes them to DATA_DIR/credentials.json (mode
 * 0600). Later starts only update the addresses in the file. If the file is missing, for example
 * after a crash, the clear text of the keys is lost, so new keys are created. Keys that may be in use are never revoked
 * here, and the keys in an existing file are never replaced.
 * @returns the file's content; null if the log has no demo organisation, or the file names no website.
 * @throws Error if the log is new and the file exists: the log was lost.
 */
export async function ensureDemoOrganisation(
  control: ControlPlane,
  { dataDir, logger, baseUrl, ingestUrl }: DemoOptions,
): Promise<Credentials | null> {
  const path = join(dataDir, CREDENTIALS_FILE);
  const kept = await readCredentials(path);
  if (kept !== null) {
    if (kept !== 'unknown' && control.state().websites.get(kept.website_id) !== undefined) {
      const current = { ...kept, base_url: baseUrl, ingest_url: ingestUrl };
      if (kept.base_url !== baseUrl || kept.ingest_url !== ingestUrl) await write(path, current);
      return current;
    }
    if (control.wasEmpty)
      throw new Error(
        `the control log in ${join(dataDir, 'log')} is empty, but ${path} has keys of an installation. Restore the control log (npm run admin -- restore <file>), or move ${CREDENTIALS_FILE} away to start a new installation`,
      );
    logger.warn(
      { path },
      'credentials.json names no website of this installation; move it away to get new keys',
    );
    return null;
  }

  const credentials = await openDemoOrganisation(control, { baseUrl, ingestUrl });
  if (credentials !== null) await write(path, credentials);
  return credentials;
}

/**
 * Creates the organisation and its website if they are missing, and new keys for them. The clear text of the keys is
 * not stored. @returns null if the log has no demo organisation.
 */
async function openDemoOrganisation(
  control: ControlPlane,
  { baseUrl, ingestUrl }: DemoAddresses,
): Promise<Credentials | null> {
  const organisation = await findOrCreateOrganisation(control);
  if (organisation === null) return null;
  const { website, ingestKey } = await openWebsite(control, organisation);
  const { clearText: apiKey } = granted(
    await control.execute(
      { type: 'createApiKey', organisationId: organisation.id, name: 'Demo', scope: 'read_write' },
      'system',
    ),
  );
  return {
    base_url: baseUrl,
    ingest_url: ingestUrl,
    website_id: website.id,
    ingest_key: ingestKey,
    api_key: apiKey,
  };
}

/**
 * Creates the demo organisation in an empty installation.
 * @returns its credentials, only once: they are not stored.
 * @throws PublicError `conflict` if there are organisations already.
 */
export async function createDemoOrganisation(
  control: ControlPlane,
  addresses: DemoAddresses,
): Promise<Credentials> {
  if (control.state().organisations.size > 0)
    throw new PublicError(
      'conflict',
      'there are organisations already, and keys are shown only once; create new keys with api-keys create and ingest-keys create',
    );
  const credentials = await openDemoOrganisation(control, addresses);
  // Another process created an organisation first.
  if (credentials === null) throw new PublicError('conflict', 'another organisation was created meanwhile');
  return credentials;
}

async function findOrCreateOrganisation(control: ControlPlane): Promise<Organisation | null> {
  const [first] = control.state().organisations.values();
  if (first !== undefined) return isDemo(control.state(), first) ? first : null;
  return granted(
    await control.execute({ type: 'createOrganisation', name: DEMO_ORGANISATION, planId: 'scale' }, 'system'),
  );
}

/** The website with a new ingest key in clear text. */
async function openWebsite(
  control: ControlPlane,
  { id: organisationId }: Organisation,
): Promise<{ website: Website; ingestKey: string }> {
  const website = control
    .state()
    .websites.by('organisationId', organisationId)
    .find(({ domain }) => domain === DOMAIN);
  if (website === undefined) {
    const created = granted(
      await control.execute({ type: 'createWebsite', organisationId, domain: DOMAIN }, 'system'),
    );
    return { website: created.website, ingestKey: created.clearText };
  }
  const created = granted(
    await control.execute({ type: 'createIngestKey', websiteId: website.id }, 'system'),
  );
  return { website, ingestKey: created.clearText };
}

function granted<Answer>(outcome: Outcome<Answer>): Answer {
  if ('refusal' in outcome) throw new Error(`demo organisation: ${outcome.refusal.detail}`);
  return outcome.answer;
}

/** @returns null: there is no such file. `unknown`: the content is invalid. */
async function readCredentials(path: string): Promise<Credentials | 'unknown' | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return credentialsSchema.parse(JSON.parse(text));
  } catch {
    return 'unknown';
  }
}

function write(path: string, credentials: Credentials): Promise<void> {
  return replaceFile(path, `${JSON.stringify(credentials, null, 2)}\n`);
}
