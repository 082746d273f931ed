import { type ControlPlane, openControlPlane } from '../control/control-plane.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Service } from './service.js';
import { waitFor } from './wait-for.js';

/** The control plane of a process that waits for its log: what keeps it from being folded at first is tried again. */
export async function openControl(service: Service, log: EventLog): Promise<ControlPlane> {
  const control = await waitFor('control events', () => open(service, log), service);
  service.onStop(() => control.close());
  return control;
}

async function open({ now, randomBytes, logger, onCrash }: Service, log: EventLog): Promise<ControlPlane> {
  let folded = false;
  const control = await openControlPlane({
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
