import type { StoredApiKey } from '../../../shared/control/domain/model.js';
import { isUseDue } from '../../../shared/control/domain/sessions.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ApiControl } from '../control/control.js';

/**
 * Records in the control log that a session is in use: every replica sees then that it is not idle. Nobody waits for the record; where the log
 * does not take it, the next call tries again.
 */
export function noteSessionUses(
  control: Pick<ApiControl, 'executeAsSystem'>,
  logger: Logger,
): (session: StoredApiKey, at: number) => void {
  /** Ids of sessions with a record on its way: a page makes many calls at once. */
  const underWay = new Set<string>();
  return (session, at) => {
    const { id } = session;
    if (!isUseDue(session, at) || underWay.has(id)) return;
    underWay.add(id);
    control
      .executeAsSystem({ type: 'noteSessionUse', apiKeyId: id })
      .catch((error: unknown) => logger.warn({ err: error, api_key_id: id }, 'use of a session not recorded'))
      .finally(() => underWay.delete(id));
  };
}
