import { openLmdbEventLog } from '../../../deploy/embedded/log/lmdb-event-log.js';

/**
 * A process whose files may not grow beyond a limit (set by its parent), for tests: fills the log, prints how
 * far it came and what it was told, then lets the records age, which makes room, and appends three more.
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
