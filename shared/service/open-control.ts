import { type ControlPlane, type ControlPlaneOptions, openControlPlane } from '../control/control-plane.js';
import { type KeyRing, openKeyRing } from '../control/sealing/key-ring.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Service } from './service.js';
import { waitFor } from './wait-for.js';

/** What a process may want of its control plane beyond the state. */
type Wishes = Pick<ControlPlaneOptions, 'snapshots' | 'onApplied' | 'beforeSnapshot' | 'ring'>;

/**
 * The keys of personal fields, for a process that reads or writes them; absent where the log can be rewritten, since nothing is
 * sealed there.
 */
export async function openKeys(service: Service, log: EventLog): Promise<KeyRing | undefined> {
  return log.rewrite === undefined ? openRing(service, log) : undefined;
}

/** The organisations' keys, for a process that makes secrets of them, whatever the log is. */
export async function openRing(service: Service, log: EventLog): Promise<KeyRing> {
  const { randomBytes, onCrash } = service;
  const ring = await waitFor('control keys', () => openKeyRing({ log, randomBytes, onCrash }), service);
  service.onStop(() => ring.close());
  return ring;
}

/**
 * The control plane of a process that waits for its log: what keeps it from being folded at first is tried again, and
 * tells `onApplied` again from the start. Snapshots are not waited for.
 */
export async function openControl(
  service: Service,
  log: EventLog,
  wishes: Wishes = {},
): Promise<ControlPlane> {
  const control = await waitFor('control events', () => open(service, log, wishes), service);
  service.onStop(() => control.close());
  return control;
}

async function open(
  { now, randomBytes, logger, onCrash }: Service,
  log: EventLog,
  wishes: Wishes,
): Promise<ControlPlane> {
  let folded = false;
  const control = await openControlPlane({
    ...wishes,
    log,
    now,
    randomBytes,
    logger,
    onCrash(error) {
      if (folded) onCrash(error);
    },
  });
  folded = true;
  return control;
}
