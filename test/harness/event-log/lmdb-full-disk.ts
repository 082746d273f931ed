import { openLmdbEventLog } from '../../../deploy/embedded/log/lmdb-event-log.js';

/**
 * A process whose file sizes have a limit (set by its parent), for tests. It fills the log and prints its
 * progress and the error. Then the records age, which frees space, and it appends three more.
 */
process.on('SIGXFSZ', () => {});
const [directory] = process.argv.slice(2) as [string];
let clock = 1_700_000_000_000;
const log = await openLmdbEventLog({ directory, partitions: 1, maxBytes: 1024 ** 3, now: () => clock });

async function append(): Promise<number> {
  const value = crypto.getRandomValues(Buffer.alloc(60_000));
  const [position] = await log.append('requests.raw', [{ key: 'k', value }]);
  return position!.offset;
}

let taken = 0;
let error = '';
try {
  for (;;) {
    await append();
    taken++;
  }
} catch (thrown) {
  error = (thrown as Error).constructor.name;
}
clock += 30 * 86_400_000;
await log.enforceRetention();
const after = [await append(), await append(), await append()];
process.stdout.write(JSON.stringify({ taken, error, after }));
await log.close();
