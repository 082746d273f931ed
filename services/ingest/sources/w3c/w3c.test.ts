import { expect, it } from 'vitest';
import { takeBody } from '../../../../test/harness/ingest/take-body.js';

const FIELDS = '#Fields: date time cs-method cs-uri-stem cs(User-Agent) c-ip sc-status sc-bytes';
const row = (path: string, agent: string, separator = ' ') =>
  ['2026-02-14', '08:15:30', 'GET', path, agent, '198.51.100.7', '200', '5'].join(separator);
const places = [0, 10, 19];

function takeOdd(odd: string, separator = ' ') {
  return places.map((place) => {
    const rows = Array.from({ length: 20 }, (_, at) => (at === place ? odd : row('/', 'curl/8', separator)));
    return takeBody(Buffer.from([FIELDS.replaceAll(' ', separator), ...rows].join('\n')));
  });
}

it.each([
  ['x 66.249.66.1 404 7', ' '],
  ['x  66.249.66.1 404', ' '],
  ['x\t66.249.66.1\t404', '\t'],
  ['x "66.249.66.1" 404', ' '],
])('a row with more columns than the header names is rejected: %j', (agent, separator) => {
  for (const { requests, tally } of takeOdd(row('/odd', agent, separator), separator)) {
    expect(tally).toMatchObject({ parsed: 19, rejected: 1 });
    expect(tally.errors[0]?.reason).toContain('more columns than the header names (8)');
    expect(requests.every(({ client_ip }) => client_ip === '198.51.100.7')).toBe(true);
  }
});

it.each(['x\ty', '\t', 'x\t66.249.66.1\t404\t5\t6\t7\t8\t9'])(
  'a tab in the agent neither shifts nor hides a row: %j',
  (agent) => {
    for (const { requests } of takeOdd(row('/odd', agent))) {
      expect(requests.length).toBe(20);
      expect(requests.find(({ target }) => target === '/odd')).toMatchObject({
        client_ip: '198.51.100.7',
        status: 200,
        user_agent: agent.replaceAll('\t', '%09'),
      });
    }
  },
);

it('a row that ends in a separator has no further column', () => {
  for (const separator of [' ', '\t']) {
    const [taken] = takeOdd(`${row('/odd', 'x', separator)}${separator}`, separator);
    expect(taken?.tally).toMatchObject({ parsed: 20, rejected: 0 });
  }
});
