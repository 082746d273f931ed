import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SECOND_MS } from '../durations.js';
import type { Logger } from '../log.js';
import type { ClickHouse } from './client.js';
import { insertRows } from './insert-rows.js';

/** One attempt to migrate at a time: a slower one would give a table that a faster one has changed its older form again. */

/** How long an attempt that says nothing counts as one that works: a killed one keeps others waiting for so long. */
const LIFE_MS = 60 * SECOND_MS;
const SIGN_EVERY_MS = 10 * SECOND_MS;
/** It ends before others may begin. */
const OWN_LIFE_MS = LIFE_MS - SIGN_EVERY_MS;
const LOOK_AGAIN_MS = SECOND_MS;

const ATTEMPTS = `
CREATE TABLE IF NOT EXISTS migration_attempts
(
    attempt String,
    sign    UInt32,
    seen    DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC'),
    works   Bool
)
ENGINE = ReplacingMergeTree(sign)
ORDER BY attempt
TTL toDateTime(seen, 'UTC') + INTERVAL 1 DAY`;

export interface MigrationTurnOptions {
  /** A text that no other attempt has. */
  readonly attempt: string;
  readonly inForm: (statement: string) => string;
  readonly logger: Logger;
}

/**
 * Waits until no other attempt works, then runs `work`.
 * @param work calls `holds` before each statement: it throws where the store could not be told in time that this attempt works.
 */
export async function inMigrationTurn<T>(
  clickhouse: ClickHouse,
  options: MigrationTurnOptions,
  work: (holds: () => void) => Promise<T>,
): Promise<T> {
  await clickhouse.command(options.inForm(ATTEMPTS));
  const signs = createSigns(clickhouse, options.attempt);
  await takeTurn(clickhouse, options, signs);
  const signing = setInterval(() => {
    // The next one may succeed; `holds` tells when it is too late.
    signs
      .write(true)
      .catch((err) => options.logger.warn({ err }, 'the store was not told that migrating goes on'));
  }, SIGN_EVERY_MS);
  try {
    return await work(() => {
      if (Date.now() - signs.lastAt() > OWN_LIFE_MS)
        throw new Error('another may migrate by now: the store could not be told that this attempt works');
    });
  } finally {
    clearInterval(signing);
    await signs.write(false).catch(() => {});
  }
}

function createSigns(clickhouse: ClickHouse, attempt: string) {
  let last = 0;
  let sign = 0;
  return {
    lastAt: () => last,
    async write(works: boolean): Promise<void> {
      sign += 1;
      const begun = Date.now();
      await insertRows(clickhouse, {
        table: 'migration_attempts',
        rows: [{ attempt, sign, works }],
        deduplicationToken: `migration_attempts/${attempt}/${sign}`,
      });
      last = begun;
    },
  };
}

/** Of two that say so at the same time at least one sees the other. */
async function takeTurn(
  clickhouse: ClickHouse,
  options: MigrationTurnOptions,
  signs: ReturnType<typeof createSigns>,
): Promise<void> {
  for (let waits = 0; ; waits += 1) {
    if (!(await anotherWorks(clickhouse, options))) {
      await signs.write(true);
      if (!(await anotherWorks(clickhouse, options))) return;
      await signs.write(false);
    }
    if (waits === 0) options.logger.info('another migrates: waiting until it has ended');
    await sleep(LOOK_AGAIN_MS * (0.5 + Math.random()));
  }
}

async function anotherWorks(
  clickhouse: ClickHouse,
  { attempt }: Pick<MigrationTurnOptions, 'attempt'>,
): Promise<boolean> {
  const others = await clickhouse.read({
    name: 'migrate.others',
    sql: `SELECT attempt
FROM migration_attempts
WHERE attempt != {attempt: String}
GROUP BY attempt
HAVING argMax(works, sign) AND max(seen) > now64(3, 'UTC') - toIntervalMillisecond({lifeMs: UInt32})
LIMIT 1`,
    params: { attempt, lifeMs: LIFE_MS },
    row: z.object({ attempt: z.string() }),
    caughtUpWith: ['migration_attempts'],
  });
  return others.length > 0;
}
