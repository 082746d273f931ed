import type { Counts } from './import-file.js';

const MOST_REASONS = 5;
const number = new Intl.NumberFormat('en-GB');

/** The result of a file, in a few lines. */
export function summarise(name: string, counts: Counts, seconds: number): string {
  const { lines, accepted, rejected, skipped, known } = counts;
  if (lines === 0) return `${name}: empty`;
  if (known === lines)
    return `${name}: all of its ${number.format(lines)} lines were imported before; nothing was sent`;
  const sent = lines - known;
  const head = [
    `${name}: ${number.format(lines)} lines`,
    ...(known > 0 ? [`${number.format(known)} of them imported before`] : []),
    `accepted ${number.format(accepted)}`,
    `rejected ${number.format(rejected)}`,
    `skipped ${number.format(skipped)}`,
    `${seconds.toFixed(1)} s`,
    `${number.format(Math.round(sent / Math.max(seconds, 0.001)))} lines/s`,
  ].join(', ');
  return [head, ...reasonsOf(counts)].join('\n');
}

/** Ingest reports only the first ten rejections of each part. If there are more, the numbers are those of the reports. */
function reasonsOf({ reasons, rejected }: Counts): string[] {
  const inOrder = [...reasons].sort(([, a], [, b]) => a.line - b.line);
  const printed = inOrder.reduce((sum, [, reason]) => sum + reason.printed, 0);
  return inOrder.slice(0, MOST_REASONS).map(([reason, { line, printed: times }]) => {
    if (inOrder.length === 1) return `  ${number.format(rejected)} rejected, from line ${line}: ${reason}`;
    const exact = printed === rejected ? '' : ' at least';
    return `  ${exact.trim()}${exact === '' ? '' : ' '}${number.format(times)} rejected, from line ${line}: ${reason}`;
  });
}
