import { expect, it } from 'vitest';
import { plainRequest } from '../../../shared/requests/plain-request.js';
import type { LineSource, UploadFacts } from '../sources/source.js';
import { acceptedTimes } from './accepted-times.js';
import { createRecordParser, createTally } from './parse-records.js';
import { plainUpload } from './take-body.fixture.js';

const NOW = Date.parse('2026-03-01T00:00:00Z');

/** A format that needs what a source may have: headers, several requests in a record, an answer of its own. */
const tabled: LineSource = {
  name: 'tabled',
  shape: 'lines',
  detect: (line) => line.startsWith('#'),
  open({ headers }) {
    let columns: string[] | null = null;
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
      shapeAnswer: ({ status }, answeredAt) => ({
        status,
        headers: { 'x-batch': String(headers['x-batch']) },
        body: { at: answeredAt },
      }),
    };
  },
};

function parse(lines: readonly string[], source: LineSource | null, upload: UploadFacts = plainUpload) {
  const tally = createTally();
  const targets: string[] = [];
  const parser = createRecordParser({
    source,
    upload,
    times: acceptedTimes(NOW, 30),
    tally,
    onRequest: ({ target }) => void targets.push(target),
  });
  lines.forEach((line, index) => {
    parser.onLine(line, index + 1);
  });
  return { tally, targets, parser };
}

it('reads an upload by what the same upload said before, and no other', () => {
  const { tally, targets } = parse(
    ['#target status', '/a 200', '#status target', '200 /b;404 /c;404'],
    tabled,
  );
  expect(targets).toEqual(['/a', '/b', '/c']);
  expect(tally).toMatchObject({ source: 'tabled', parsed: 3, skipped: 1, rejected: 0 });
  expect(parse(['/a 200'], tabled).tally.errors).toEqual([{ line: 1, reason: 'no columns' }]);
});

it("gives the sender its source's answer, made of the upload's headers, and its own where no source is known", () => {
  const answer = { status: 200, headers: {}, body: { accepted: 1 } };
  const known = parse(['#target'], tabled, { ...plainUpload, headers: { 'x-batch': '7' } });
  expect(known.parser.shapeAnswer(answer, NOW)).toEqual({
    status: 200,
    headers: { 'x-batch': '7' },
    body: { at: NOW },
  });
  expect(parse(['what is this'], null).parser.shapeAnswer(answer, NOW)).toBe(answer);
});
