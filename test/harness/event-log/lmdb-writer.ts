import { randomUUID } from 'node:crypto';
import { openLmdbEventLog } from '../../../deploy/embedded/log/lmdb-event-log.js';

/**
 * A process for tests to kill. It appends from several tasks at once, and prints `partition/offset value.`
 * for each record after its append has resolved.
 */
const [directory] = process.argv.slice(2) as [string];
try {
  const log = await openLmdbEventLog({ directory, partitions: 1, maxBytes: 1024 ** 3, now: Date.now });
  const append = async (): Promise<never> => {
    for (;;) {
      const id = randomUUID();
      const value = Buffer.concat([Buffer.from(id), Buffer.alloc(20_000, id)]);
      const [position] = await log.append('requests.raw', [{ key: id, value }]);
      process.stdout.write(`${position!.partition}/${position!.offset} ${id}.\n`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, append));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
