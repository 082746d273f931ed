import { type ControlPlane, type ControlPlaneOptions, openControlPlane } from '../control/control-plane.js';
import { type KeyRing, openKeyRing } from '../control/sealing/key-ring.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Service } from './service.js';
import { waitFor } from './wait-for.js';

/** Optional features of a process's control plane. */
type Wishes = Pick<ControlPlaneOptions, 'snapshots' | 'onApplied' | 'beforeSnapshot' | 'ring'>;

/**
 * Keys of personal fields, for a process that reads or writes them. Absent if the log can be rewritten, since nothing
 * is sealed then.
 */
export async function openKeys(service: Service, log: EventLog): Promise<KeyRing | undefined> {
  return log.rewrite === undefined ? openRing(service, log) : undefined;
}

/** The organisations' keys, for a process that derives secrets from them. Works with every log. */
export async function openRing(service: Service, log: EventLog): Promise<KeyRing> {
  const { randomBytes, onCrash } = service;
  const ring = await waitFor('control keys', () => openKeyRing({ log, randomBytes, onCrash }), service);
  service.onStop(() => ring.close());
  return ring;
}

/**
 * Control plane of a process. A failure to fold it at first is retried, and `onApplied` is then called again from the
 * start. Does not wait for snapshots.
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
