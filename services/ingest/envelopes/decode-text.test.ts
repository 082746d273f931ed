import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

const events = (message: string, count: number) =>
  JSON.stringify({ messageType: 'DATA_MESSAGE', logEvents: Array(count).fill({ message }) });

it.each([
  ['lines', 'a\n'.repeat(200_000)],
  ['empty lines', '\n'.repeat(200_000)],
  ['a list', `[${'{},'.repeat(200_000)}{}]`],
  ['a list under a name', `{"id":1,"records":[${'{},'.repeat(200_000)}{}]}`],
  ['events', events('a', 200_000)],
  ['events of lines', events('a\n'.repeat(1_000), 200)],
])('a message of more %s than a batch holds counts as one record that is rejected', (_, text) => {
  const body = JSON.stringify({ data: gzipSync(text).toString('base64') });
  const { tally } = takeBody(Buffer.from(body));
  expect(tally.errors).toEqual([{ line: 1, reason: 'message: more than 100000 lines or records' }]);
  expect(tally.rejected).toBe(1);
});
