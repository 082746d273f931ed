import { createHash } from 'node:crypto';

/**
 * Tokens of ranges that a website was told of. The enricher repeats the range that it was at when it ended, so that of each partition
 * of requests.raw the last few are enough (services/enricher/sink/EXACTLY-ONCE.md). Plain JSON.
 */
export type SeenTokens = [partition: string, newest: string[]][];

const MOST_OF_A_PARTITION = 32;
/** More than any topic has; those that were heard of longest ago go first. */
const MOST_PARTITIONS = 256;
/** Characters of a digest, six bits each. */
const DIGEST_LENGTH = 11;

/** Whether the token is new; from now on it is not. */
export function isFirst(seen: SeenTokens, token: string): boolean {
  const partition = partitionOf(token);
  const digest = createHash('sha256').update(token).digest('base64url').slice(0, DIGEST_LENGTH);
  const at = seen.findIndex(([known]) => known === partition);
  const newest = at < 0 ? [] : seen[at]![1];
  if (newest.includes(digest)) return false;
  if (at >= 0) seen.splice(at, 1);
  seen.push([partition, [...newest, digest].slice(-MOST_OF_A_PARTITION)]);
  if (seen.length > MOST_PARTITIONS) seen.shift();
  return true;
}

/** `requests.raw/<partition>/<range>/<mark>` without the last two; '' for a token of another form: all such share their places. */
function partitionOf(token: string): string {
  return token.split('/').slice(0, -2).join('/').slice(0, 100);
}
