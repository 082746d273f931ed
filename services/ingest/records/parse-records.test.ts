import { expect, it } from 'vitest';
import { plainUpload } from '../../../test/harness/ingest/take-body.js';
import { plainRequest } from '../../enricher/sink/plain-request.js';
import { createTally } from '../outcomes/tally.js';
import type { LineSource } from '../sources/util/source.js';
import { acceptedTimes } from './accepted-times.js';
import { createRecordParser } from './parse-records.js';

const NOW = Date.parse('2026-03-01T00:00:00Z');

/**
 * A format with all that a source may need: parameters of the URL, several requests in a record, lines without a
 * request.
 */
const tabled: LineSource = {
  name: 'tabled',
  shape: 'lines',
  detect: (line) => line.startsWith('#'),
  open({ query }) {
    let columns = query.get('columns')?.split(' ') ?? null;
    return {
      parse(line) {
        if (line.startsWith('#')) {
          columns = line.slice(1).split(' ');
          return { noRecord: 'names of columns' };
        }
        if (columns === null) return { reject: 'no columns' };
        const target = columns.indexOf('target');
        return line.split(';').map((row) => {
          const path = row.split(' ')[target] ?? '';
          return path === '' ? { skip: 'no path' } : plainRequest({ timestamp: NOW, target: path });
        });
      },
    };
  },
};

function parse(lines: readonly string[], source: LineSource | null, query = '') {
  const tally = createTally();
  const targets: string[] = [];
  const parser = createRecordParser({
    source,
    ...plainUpload,
    query: new URLSearchParams(query),
    times: acceptedTimes(NOW, 30),
    tally,
    onRequest: ({ target }) => void targets.push(target),
    onInflated: () => {},
  });
  lines.forEach((line, index) => {
    parser.onLine(line, index + 1);
  });
  return { tally, targets };
}

it('reads an upload by earlier lines of the same upload only', () => {
  const { tally, targets } = parse(
    ['#target status', '/a 200', '#status target', '200 /b;404 /c;404'],
    tabled,
  );
  expect(targets).toEqual(['/a', '/b', '/c']);
  expect(tally).toMatchObject({ source: 'tabled', parsed: 3, skipped: 1, rejected: 0 });
  expect(parse(['/a 200'], tabled).tally.errors).toEqual([{ line: 1, reason: 'no columns' }]);
});

it('reads an upload by the parameters of its URL', () => {
  expect(parse(['200 /a'], tabled, 'columns=status target').targets).toEqual(['/a']);
});
