import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ControlPlane, Outcome } from '../../../shared/control/control-plane.js';
import { DEMO_ORGANISATION, isDemo } from '../../../shared/control/domain/demo-organisation.js';
import type { Organisation, Website } from '../../../shared/control/domain/model.js';
import { PublicError } from '../../../shared/errors.js';
import type { Logger } from '../../../shared/logging/log.js';
import { replaceFile } from './replace-file.js';

/** The organisation that a fresh standalone installation starts with, and the file that opens it. */

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
 * At the first start creates the organisation, its website and keys, and writes them to
 * DATA_DIR/credentials.json (mode 0600). Later it leaves all of it alone, except that the file follows a
 * change of the addresses. Where the file is missing (a crash before it was written, a lost file) the clear text is gone for
 * good: new keys are made. Keys that may be in use are never revoked here, and a file that is there is never replaced.
 * @returns the file's content; null where the log was begun without a demo organisation, or the file is of no website.
 * @throws Error where the log is new and the file is there: the log was lost.
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
        `the control log in ${join(dataDir, 'log')} is empty, but ${path} has keys of an installation. Restore the control log (npm run admin -- restore <file>), or move ${CREDENTIALS_FILE} away to begin anew`,
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
 * Creates what is missing of the organisation and its website, and new keys for them; nothing keeps their clear text.
 * @returns null where the log was begun without a demo organisation.
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
 * Gives an empty installation its demo organisation.
 * @returns its credentials, this once: nothing keeps them.
 * @throws PublicError `conflict` where there are organisations already.
 */
export async function createDemoOrganisation(
  control: ControlPlane,
  addresses: DemoAddresses,
): Promise<Credentials> {
  if (control.state().organisations.size > 0)
    throw new PublicError(
      'conflict',
      'there are organisations already, and keys are shown once; make new ones with api-keys create and ingest-keys create',
    );
  const credentials = await openDemoOrganisation(control, addresses);
  // Another process was first.
  if (credentials === null) throw new PublicError('conflict', 'another organisation was made meanwhile');
  return credentials;
}

async function findOrCreateOrganisation(control: ControlPlane): Promise<Organisation | null> {
  const [first] = control.state().organisations.values();
  if (first !== undefined) return isDemo(control.state(), first) ? first : null;
  return granted(
    await control.execute({ type: 'createOrganisation', name: DEMO_ORGANISATION, planId: 'scale' }, 'system'),
  );
}

/** The website with an ingest key whose clear text is known. */
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

/** null: there is no such file. `unknown`: its content is not ours. */
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
