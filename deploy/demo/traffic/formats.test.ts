import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { DemoRequest } from './demo-request.js';
import { demoTraffic } from './demo-traffic.js';
import { asCombined, asLoglane, asLogpush } from './formats.js';

const requests = [
  ...demoTraffic({
    seed: 'formats',
    days: 1,
    requestsPerDay: 12_000,
    end: Date.parse('2026-11-21T00:00:00Z'),
    domain: 'example.com',
  }),
];

const COMBINED =
  /^(\S+) - - \[(\d{2})\/(\w{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}) \+0000\] "([A-Z]+) (\S+) (HTTP\/[\d.]+)" (\d{3}) (\d+) "([^"]*)" "([^"]*)" (\d+\.\d{3}) host=(\S+)$/;

describe('every request', () => {
  it('keeps all fields in Loglane JSON', () => {
    for (const request of requests) {
      const line = JSON.parse(asLoglane(request));
      const { actor, bot, target, source_country, timestamp, ...same } = request;
      const { path, country, timestamp: written, ...rest } = line;
      expect(rest).toEqual(same);
      expect([path, country, Date.parse(written)]).toEqual([target, source_country, timestamp]);
    }
  });

  it('keeps its fields in Logpush, with times to the millisecond', () => {
    for (const request of requests) {
      const text = asLogpush(request);
      const line = JSON.parse(text);
      expect(/"EdgeStartTimestamp":(\d+)000000,/.exec(text)?.[1]).toBe(String(request.timestamp));
      expect(Math.round((line.EdgeEndTimestamp - line.EdgeStartTimestamp) / 1e6)).toBe(request.time_taken_ms);
      expect([line.ClientIP, line.ClientRequestURI, line.EdgeResponseStatus, line.EdgeResponseBytes]).toEqual(
        [request.client_ip, request.target, request.status, request.bytes_sent],
      );
      expect([line.ClientRequestUserAgent, line.ClientRequestReferer, line.RayID]).toEqual([
        request.user_agent,
        request.referrer,
        request.request_id,
      ]);
    }
  });

  it('keeps its fields in a combined line', () => {
    for (const request of requests) {
      const match = COMBINED.exec(asCombined(request));
      expect(match, asCombined(request)).not.toBeNull();
      const [, ip, day, month, year, time, method, target, , status, bytes, referrer, agent, seconds, host] =
        match!;
      expect(Date.parse(`${day} ${month} ${year} ${time} UTC`)).toBe(
        Math.floor(request.timestamp / 1000) * 1000,
      );
      expect([ip, method, target, Number(status), Number(bytes), host]).toEqual([
        request.client_ip,
        request.method,
        request.target,
        request.status,
        request.bytes_sent,
        request.host,
      ]);
      expect(Math.round(Number(seconds) * 1000)).toBe(request.time_taken_ms);
      expect(unescapeNginx(referrer!)).toBe(request.referrer || '-');
      expect(unescapeNginx(agent!)).toBe(request.user_agent || '-');
    }
  });

  it('has a real address and an absolute path', () => {
    for (const { client_ip, target } of requests) {
      expect(isIP(client_ip), client_ip).not.toBe(0);
      expect(target).toMatch(/^\/[!-~]*$/);
    }
  });
});

it('keeps quotes, backslashes and other bytes of a hostile user agent inside its field', () => {
  const hostile: DemoRequest = { ...requests[0]!, user_agent: 'a "b" \\ \n é' };
  const match = COMBINED.exec(asCombined(hostile));
  expect(match?.[12]).toBe('a \\x22b\\x22 \\x5C \\x0A \\xC3\\xA9');
  expect(JSON.parse(asLogpush(hostile)).ClientRequestUserAgent).toBe(hostile.user_agent);
});

function unescapeNginx(text: string): string {
  return text.replace(/(?:\\x[0-9A-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('\\x', ''), 'hex').toString(),
  );
}
