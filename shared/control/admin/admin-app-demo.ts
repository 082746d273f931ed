import { PublicError } from '../../errors.js';
import type { ControlPlane } from '../control-plane.js';
import { type Credentials, type DemoAddresses, openDemoOrganisation } from './demo-organisation.js';

/**
 * Gives an empty installation its demo organisation.
 * @returns its credentials, this once: nothing keeps them.
 * @throws PublicError `conflict` where there are organisations already.
 */
export async function createDemoOrganisation(
  control: ControlPlane,
  addresses: DemoAddresses,
): Promise<Credentials> {
  if (control.state().organisations.size > 0) {
    throw new PublicError(
      'conflict',
      'there are organisations already, and keys are shown once; make new ones with api-keys create and ingest-keys create',
    );
  }
  const credentials = await openDemoOrganisation(control, addresses);
  // Another process was first.
  if (credentials === null) throw new PublicError('conflict', 'another organisation was made meanwhile');
  return credentials;
}
