import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PublicError } from '../errors.js';
import type { ControlPlane } from './control-plane.js';
import { type Credentials, type DemoOptions, ensureDemoOrganisation } from './demo-organisation.js';

/**
 * Gives an empty installation its demo organisation.
 * @returns its credentials, this once: nothing keeps them.
 * @throws PublicError `conflict` where there are organisations already.
 */
export async function createDemoOrganisation(
  control: ControlPlane,
  addresses: Pick<DemoOptions, 'baseUrl' | 'ingestUrl'>,
): Promise<Credentials> {
  if (control.state().organisations.size > 0) {
    throw new PublicError(
      'conflict',
      'there are organisations already, and keys are shown once; make new ones with api-keys create and ingest-keys create',
    );
  }
  // The file that a standalone installation keeps; here only the caller has the credentials.
  const dataDir = await mkdtemp(join(tmpdir(), 'loglane-demo-'));
  try {
    const credentials = await ensureDemoOrganisation(control, { dataDir, ...addresses });
    // Another process was first.
    if (credentials === null) throw new PublicError('conflict', 'another organisation was made meanwhile');
    return credentials;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
