import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { PublicError } from '../../../shared/errors.js';

/** @throws PublicError `not_found` */
export function refuseUnknownWebsite(control: ControlPlane, websiteId: string): void {
  if (control.state().websites.get(websiteId) === undefined)
    throw new PublicError('not_found', `there is no website "${websiteId}"`);
}
