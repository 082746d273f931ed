import { afterEach, beforeEach, vi } from 'vitest';
import type { Notifications } from '../../../services/jobs/notifications/notification-service.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import { NOON } from './alert.js';
import { settle, startProcess, type World } from './notifications-world.js';

/**
 * Processes of a test, with a clock that starts at noon and only the test advances. They end with the test.
 */
export function useProcesses() {
  const running: Notifications[] = [];
  async function start(...given: Parameters<typeof startProcess>): Promise<Notifications> {
    const process = await startProcess(...given);
    running.push(process);
    await settle();
    return process;
  }
  async function stop(process: Notifications): Promise<void> {
    const stopping = process.stop();
    await settle(MINUTE_MS);
    await stopping;
  }
  beforeEach(() => {
    vi.useFakeTimers({
      now: NOON,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    });
  });
  afterEach(async () => {
    for (const process of running.splice(0)) await stop(process).catch(() => {});
    vi.useRealTimers();
  });
  return { start, stop };
}

/** "email sent", for each message that was added. */
export const statusOf = ({ rows }: World) =>
  [...rows.values()].map(({ channel, status }) => `${channel} ${status}`);
