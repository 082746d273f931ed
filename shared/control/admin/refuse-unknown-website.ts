import { PublicError } from '../../errors.js';
import type { ControlPlane } from '../control-plane.js';

/** @throws PublicError `not_found` */
export function refuseUnknownWebsite(control: ControlPlane, websiteId: string): void {
  if (control.state().websites.get(websiteId) === undefined)
    throw new PublicError('not_found', `there is no website "${websiteId}"`);
}
