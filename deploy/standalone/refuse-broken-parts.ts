import { join } from 'node:path';
import { ConfigError } from '../../shared/config.js';
import type { Logger } from '../../shared/logging/log.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { type BrokenPart, ignorePart, readBrokenParts } from '../embedded/engine/broken-parts.js';

/** Most parts named in the message; the others are counted. */
const MOST_NAMED = 5;

/**
 * Refuses to start with broken parts, since answers without their rows would be wrong without notice. After a power loss, broken parts are
 * only logged: they were not on the disk yet, and the log has all records after the checkpoint.
 * @throws ConfigError that names tables, days and folders
 */
export async function refuseBrokenParts(
  reader: ClickHouseReader,
  { directory, machineWentDown, logger }: { directory: string; machineWentDown: boolean; logger: Logger },
): Promise<void> {
  const parts = await readBrokenParts(reader);
  if (parts.length === 0) return;
  if (machineWentDown) {
    logger.error({ parts }, 'parts of the store were not on disk when the machine crashed');
    for (const part of parts) ignorePart(part);
    return;
  }
  throw new ConfigError(
    `the store (${join(directory, 'store')}) has damaged parts: ${inWords(parts)}. Restore intact copies of them, or of the whole directory and of the log. To start without their rows, move these folders away (docs/troubleshooting.md, "Damaged files")`,
  );
}

function inWords(parts: readonly BrokenPart[]): string {
  const named = parts
    .slice(0, MOST_NAMED)
    .map(({ table, days, path }) => `${table}${days === null ? '' : ` of ${days}`} (${path})`);
  const more = parts.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
