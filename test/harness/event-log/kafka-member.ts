import { createInterface } from 'node:readline';
import { openKafkaEventLog } from '../../../shared/event-log/kafka/kafka-event-log.js';

/**
 * A member of group `g` in a separate process, which tests kill or stop. It prints `assigned <partition>`,
 * `lost <partition>` and `read <partition> <offset>`. The line `commit <partition> <offset> <metadata>` on
 * its standard input commits. It then prints `committed` or the error's name.
 */
const [brokers, topicPrefix] = process.argv.slice(2) as [string, string];
const print = (...words: unknown[]) => process.stdout.write(`${words.join(' ')}\n`);

const log = await openKafkaEventLog({
  brokers: brokers.split(','),
  clientId: 'member',
  topicPrefix,
  partitions: 3,
  replicationFactor: 1,
  lingerMs: 5,
  ackTimeoutMs: 10_000,
  maxPendingBytes: 1024 ** 2,
});
const consumer = await log.consume({
  topic: 'requests.raw',
  group: 'g',
  async onAssigned(partition, _committed, lost) {
    lost.addEventListener('abort', () => print('lost', partition));
    print('assigned', partition);
  },
  async onRecords(partition, records) {
    for (const { offset } of records) print('read', partition, offset);
  },
  onCrash: (error) => print('crash', error.message),
});
createInterface({ input: process.stdin }).on('line', (line) => {
  const [, partition, offset, metadata] = line.split(' ') as [string, string, string, string];
  consumer.commit(Number(partition), { offset: Number(offset), metadata }).then(
    () => print('committed'),
    (error: Error) => print(error.constructor.name),
  );
});
