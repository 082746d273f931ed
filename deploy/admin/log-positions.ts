import { type Command, InvalidArgumentError } from 'commander';
import { ENRICHER_GROUP } from '../../shared/event-log/consumer-groups.js';
import type { KafkaEventLog } from '../../shared/event-log/kafka/kafka-event-log.js';
import type { LogPosition } from '../../shared/event-log/kafka/log-positions.js';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';
import type { OpenResumable } from './resume/open-resumable.js';
import { resumeFromStore } from './resume/resume-from-store.js';

/**
 * `log`: the offsets of the enrichers in `requests.raw`. It repairs them after a broker lost its tail
 * (docs/troubleshooting.md, "Diverged log") and after a store was restored (docs/backup.md, "Restore").
 */

/** Null: the log is embedded. One file stores its commits and records, so neither can be ahead of the other. */
export type OpenKafkaLog =
  | (() => Promise<Pick<KafkaEventLog, 'positions' | 'acceptPosition' | 'close'>>)
  | null;

const TOPIC = 'requests.raw';

interface LogContext extends CommandContext {
  readonly openKafkaLog: OpenKafkaLog;
  readonly openResumable?: OpenResumable | undefined;
}

export function addLogPositions(program: Command, { show, openKafkaLog, openResumable }: LogContext): void {
  const log = program
    .command('log')
    .description('shows and repairs the offsets of the enrichers in requests.raw');
  const withLog = async (
    work: (opened: Awaited<ReturnType<NonNullable<OpenKafkaLog>>>) => Promise<readonly LogPosition[]>,
  ) => {
    if (openKafkaLog === null)
      throw new AdminError(
        'the embedded log stores its commits with its records: there is nothing to repair',
      );
    const opened = await openKafkaLog();
    try {
      show(await work(opened));
    } finally {
      await opened.close();
    }
  };

  log
    .command('list')
    .description(
      'lists the committed and read offsets of each partition, the offsets in the log, and whether they agree',
    )
    .action(() => withLog((opened) => opened.positions(TOPIC, ENRICHER_GROUP)));
  log
    .command('accept')
    .description(
      'lets the enrichers continue in a log that lost records they had read. Stop all enrichers first',
    )
    .requiredOption('--partition <number>', 'partition that the error names', wholeNumber)
    .action(({ partition }: { partition: number }) =>
      withLog(async (opened) => [await opened.acceptPosition(TOPIC, ENRICHER_GROUP, partition)]),
    );
  log
    .command('resume-from-store')
    .description('lets the enrichers continue after the newest record in the store. Stop all enrichers first')
    .action(async () => {
      if (openResumable === undefined) throw new AdminError('no log and no store are configured');
      const { log: opened, store, close } = await openResumable();
      try {
        show(await resumeFromStore(opened, store));
      } finally {
        await close();
      }
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}
