import { z } from '@hono/zod-openapi';
import { type DeviceRow, listDevices, readDeviceTotals } from '../../../../shared/queries/devices.js';
import { previousWindow } from '../../../../shared/queries/scope.js';
import { windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { segmentRead } from '../segment-read.js';
import {
  changePct,
  count,
  deltaPct,
  percentOf,
  previousRequests,
  requestCount,
  uniqueIps,
} from './figures.js';

const MAX_NAMES = 200;

const device = z.object({
  name: z.string().openapi({ description: 'Empty where the user agent does not tell.', example: 'Chrome' }),
  requests: requestCount,
  share_pct: z.number().openapi({ description: 'Percent of the human requests of the window.' }),
  unique_ips: uniqueIps,
  previous_requests: previousRequests,
  delta_pct: deltaPct,
});

export const getDevices = segmentRead({
  id: 'getDevices',
  tag: 'Traffic',
  path: '/devices',
  summary: 'Browsers, operating systems and devices of human visitors',
  description: `Human traffic alone, as told by its user agents: bots put on whatever browser they like. Most requests first, at most ${MAX_NAMES} in each list.`,
  query: z.object(windowParameters()),
  answer: z.object({
    window: answerWindow,
    total_requests: count('Human requests.'),
    unique_ips: uniqueIps,
    browsers: z.array(device),
    operating_systems: z.array(device),
    device_types: z.array(device),
  }),
  async read(reader, scope) {
    const before = { ...scope, window: previousWindow(scope.window) };
    const totals = await readDeviceTotals(reader, scope);
    const list = async (by: 'browser' | 'os' | 'device_type') => {
      const [rows, earlier] = await Promise.all([
        listDevices(reader, scope, { by, limit: MAX_NAMES }),
        listDevices(reader, before, { by, limit: 10 * MAX_NAMES }),
      ]);
      return toDevices(rows, earlier, totals.requests);
    };
    const [browsers, operating_systems, device_types] = await Promise.all([
      list('browser'),
      list('os'),
      list('device_type'),
    ]);
    return {
      window: toAnswerWindow(scope.window),
      total_requests: totals.requests,
      unique_ips: totals.unique_ips,
      browsers,
      operating_systems,
      device_types,
    };
  },
});

function toDevices(
  rows: readonly DeviceRow[],
  earlier: readonly DeviceRow[],
  totalRequests: number,
): z.input<typeof device>[] {
  const previous = new Map(earlier.map(({ name, requests }) => [name, requests]));
  return rows.map(({ name, requests, unique_ips }) => ({
    name,
    requests,
    share_pct: percentOf(requests, totalRequests),
    unique_ips,
    previous_requests: previous.get(name) ?? 0,
    delta_pct: changePct(requests, previous.get(name) ?? 0),
  }));
}
