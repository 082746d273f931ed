import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RawRequest } from '../../shared/requests/raw-request.js';
import type { IngestWorld } from './ingest-world.js';
import type { RunningProgram } from './run-program.js';

/** Visitors of a local web server, and the expected counts of their requests. */

export interface Visit {
  /** The address of the connection. */
  readonly address: string;
  /** The address that its `X-Forwarded-For` names. */
  readonly forwarded: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** Bytes of the body. */
  readonly bytes: number;
  readonly user_agent: string;
  readonly referrer: string;
  readonly host: string;
  readonly protocol: string;
  /** Milliseconds since the epoch, by the clock of the test. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

const agents = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (X11; Linux x86_64) "quoted" back\\slash',
  'x',
  'Ünïcode/1.0 €',
];
const paths = [
  '/',
  '/missing',
  '/a%20b?x=1&y=%E2%82%AC',
  '/caf%C3%A9',
  '/?q="quoted"',
  '/big',
  '/x%2Fy/%7e',
  "/it's|piped",
];

/**
 * Visits of every path by every user agent, from several addresses.
 * @param first number of the first round; rounds with other numbers are other visits
 */
export async function visit(port: number, rounds: number, first = 0): Promise<Visit[]> {
  const visits: Visit[] = [];
  for (let round = first; round < first + rounds; round++) {
    for (const [index, path] of paths.entries()) {
      const query = path.includes('?') ? '&' : '?';
      visits.push(
        await once(port, {
          target: `${path}${query}n=${round}`,
          address: `127.0.0.${2 + ((round + index) % 200)}`,
          userAgent: agents[(round + index) % agents.length]!,
          method: index === 3 ? 'HEAD' : 'GET',
        }),
      );
    }
  }
  return visits;
}

function once(
  port: number,
  {
    target,
    address,
    userAgent,
    method,
  }: { target: string; address: string; userAgent: string; method: string },
): Promise<Visit> {
  const referrer = `https://www.example.org${target.slice(0, 8)}`;
  const host = 'shop.example.com';
  const forwarded = address.replace('127.0.0', '203.0.113');
  const sentAt = Date.now();
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      'user-agent': Buffer.from(userAgent).toString('latin1'),
      referer: referrer,
      'x-forwarded-for': forwarded,
    };
    request(
      { host: '127.0.0.1', port, path: target, method, headers, localAddress: address, agent: false },
      (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('end', () =>
          resolve({
            address,
            forwarded,
            method,
            target,
            status: response.statusCode!,
            bytes,
            user_agent: userAgent,
            referrer,
            host,
            protocol: 'HTTP/1.1',
            sentAt,
            answeredAt: Date.now(),
          }),
        );
      },
    )
      .on('error', reject)
      .end();
  });
}

export interface LoggedFields {
  /** Bytes in the log besides the body: headers, if the server counts them. */
  readonly moreBytes?: number;
  /** The client in the log: the connected address (default), or the one that a local proxy forwards. */
  readonly client?: 'address' | 'forwarded';
  /** Fields that the server's log does not have. */
  readonly without?: readonly ('host' | 'referrer' | 'user_agent')[];
}

/** Waits until each visit is counted, and compares all of them with the log: each once, with the right fields. */
export async function expectCounted(
  visits: readonly Visit[],
  world: IngestWorld,
  programs: readonly RunningProgram[],
  { moreBytes = 0, client = 'address', without = [] }: LoggedFields = {},
): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (world.requests().length < visits.length && Date.now() < deadline) await sleep(100);
  // A repeated line arrives a moment later.
  await sleep(1_500);
  const counted = world.requests();
  const outputs = programs.map((program) => program.output().slice(-2_000)).join('\n');
  expect(counted.length, outputs).toBe(visits.length);
  const found = new Map(counted.map((one) => [`${one.method} ${one.target} ${one.client_ip}`, one]));
  for (const one of visits) {
    const name = `${one.method} ${one.target} ${one[client]}`;
    expect([...found.keys()], `${name} is counted`).toContain(name);
    expectSame(one, found.get(name)!, moreBytes, without);
  }
}

function expectSame(
  one: Visit,
  found: RawRequest,
  moreBytes: number,
  without: LoggedFields['without'] = [],
): void {
  const fields = ['status', 'protocol', 'host', 'referrer', 'user_agent'] as const;
  for (const field of fields) {
    // Servers that refuse a request line do not read its headers.
    const isRead = one.status !== 400 || field === 'status';
    if (isRead && !without.includes(field as never))
      expect(found[field], `${field} of ${one.target}`).toBe(one[field]);
  }
  expect(found.bytes_sent - one.bytes, `bytes of ${one.target}`).toBeGreaterThanOrEqual(0);
  expect(found.bytes_sent - one.bytes, `bytes of ${one.target}`).toBeLessThanOrEqual(moreBytes);
  // nginx logs whole seconds, and the time of the answer.
  expect(found.timestamp).toBeGreaterThan(one.sentAt - 1_100);
  expect(found.timestamp).toBeLessThanOrEqual(one.answeredAt + 1_100);
  if (found.time_taken_ms !== null)
    expect(found.time_taken_ms).toBeLessThanOrEqual(one.answeredAt - one.sentAt + 1_000);
}
