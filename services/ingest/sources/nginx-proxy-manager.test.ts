import { expect, it } from 'vitest';
import { takeBody } from '../../../test/harness/ingest/take-body.js';

it('a user agent that looks like the other form does not hide its line', () => {
  const line =
    '[14/Feb/2026:08:15:30 +0000] 200 - GET https h.example "/x" [Client 192.0.2.1] [Length 1] [Gzip -] "a] [Sent-to b] " "-"';
  const { requests } = takeBody(Buffer.from(line));
  expect(requests.map((request) => request.user_agent)).toEqual(['a] [Sent-to b] ']);
});
