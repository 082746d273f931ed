import { z } from 'zod';
import type { ClickHouseReader } from './client.js';

/** Checks for ClickHouse servers that store every row once (services/enricher/sink/EXACTLY-ONCE.md). */

/** In earlier releases a repeated insert that the table drops never reaches the rollups that lack it. */
const LEAST = [24, 8];

/** Releases in which views read beyond a block's end, each with its first fixed version. */
const MENDED = [
  [26, 5, 7, 20],
  [26, 6, 3, 19],
  [26, 7, 3, 9],
];

export interface VersionProblem {
  /** Whether rows are certainly lost. */
  readonly loses: boolean;
  readonly detail: string;
}

/** @param text result of the server's function version(). @returns null: no problem. Pure. */
export function versionProblem(text: string): VersionProblem | null {
  const version = /^(\d+)\.(\d+)(?:\.(\d+))?(?:\.(\d+))?/
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (version === undefined)
    return {
      loses: false,
      detail: `the version of ClickHouse is unknown (${text}): it must be 24.8 or newer`,
    };
  if (isBefore(version, LEAST))
    return { loses: true, detail: `ClickHouse is ${text}: it must be 24.8 or newer, or rollups lose rows` };
  const mended = MENDED.find(([year, month]) => version[0] === year && version[1] === month);
  if (mended === undefined || !isBefore(version, mended)) return null;
  return {
    loses: false,
    detail: `ClickHouse is ${text}: install ${mended.join('.')} or newer of this release`,
  };
}

/** Compares only the parts that `other` has. */
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
