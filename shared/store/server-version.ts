import { z } from 'zod';
import type { ClickHouseReader } from './client.js';

/** Which ClickHouse servers store every row once (services/enricher/sink/EXACTLY-ONCE.md). */

/** Before it, a repeated insert that the table drops never reaches the rollups that lack it. */
const LEAST = [24, 8];

/** Releases that read beyond a block's end in the views, and the first of each that does not. */
const MENDED = [
  [26, 5, 7, 20],
  [26, 6, 3, 19],
  [26, 7, 3, 9],
];

export interface VersionProblem {
  /** Whether rows are lost for certain. */
  readonly loses: boolean;
  readonly detail: string;
}

/** @param text as the server's function version() gives it. @returns null: nothing is wrong. Pure. */
export function versionProblem(text: string): VersionProblem | null {
  const version = /^(\d+)\.(\d+)(?:\.(\d+))?(?:\.(\d+))?/
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (version === undefined)
    return {
      loses: false,
      detail: `the version of ClickHouse is not known (${text}): it must be 24.8 or newer`,
    };
  if (isBefore(version, LEAST))
    return { loses: true, detail: `ClickHouse is ${text}: it must be 24.8 or newer, or rollups lose rows` };
  const mended = MENDED.find(([year, month]) => version[0] === year && version[1] === month);
  if (mended === undefined || !isBefore(version, mended)) return null;
  return { loses: false, detail: `ClickHouse is ${text}: take ${mended.join('.')} or newer of this release` };
}

/** Compares as many parts as the other has. */
function isBefore(version: readonly number[], other: readonly number[]): boolean {
  const at = other.findIndex((part, index) => version[index] !== part);
  return at >= 0 && version[at]! < other[at]!;
}

export async function readServerVersion(reader: ClickHouseReader): Promise<string> {
  const [row] = await reader.read({
    name: 'server_version',
    sql: 'SELECT version() AS version',
    params: {},
    row: z.object({ version: z.string() }),
  });
  return row?.version ?? '';
}
