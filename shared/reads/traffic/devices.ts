import { z } from '@hono/zod-openapi';
import { answer } from '../answer/answer.js';
import {
  count,
  deltaPct,
  fieldsOf,
  percentOf,
  previousRequests,
  requestCount,
  uniqueIps,
} from '../answer/figures.js';
import { comparedWindow, compareWindows } from '../answer/windows.js';
import { devices as devicesRollup } from '../sql/read-tables.js';
import { select } from '../sql/select.js';

export const MAX_NAMES = 200;

const device = z.object({
  name: z
    .string()
    .openapi({ description: 'Empty if the user agent does not contain it.', example: 'Chrome' }),
  requests: requestCount,
  share_pct: z.number().openapi({ description: 'Percentage of the human requests of the window.' }),
  unique_ips: uniqueIps,
  previous_requests: previousRequests,
  delta_pct: deltaPct,
});

export const devices = answer({
  schema: z.object({
    ...comparedWindow,
    human_requests: count('Requests of people; this answer counts only these.'),
    unique_human_ips: count('Distinct addresses of people, with the error of unique_ips.'),
    browsers: z.array(device).openapi({
      description: 'By browser, or by the app whose web view showed the page, such as Instagram.',
    }),
    operating_systems: z.array(device),
    device_types: z.array(device),
  }),
  from: [[devicesRollup]],
  async read(reader, scope) {
    const [time, { total, browsers, systems, types }] = await Promise.all([
      compareWindows(reader, scope),
      select(reader, scope, {
        name: 'devices.lists',
        from: [devicesRollup],
        lists: {
          total: { by: [] },
          browsers: { by: ['browser'], limit: MAX_NAMES },
          systems: { by: ['os'], limit: MAX_NAMES },
          types: { by: ['device_type'], limit: MAX_NAMES },
        },
        metrics: ['requests', 'client_ips'],
        previous: ['requests'],
      }),
    ]);
    const { requests: all, client_ips } = total[0]!;
    const toDevice = (name: string, row: (typeof total)[number]) =>
      fieldsOf(
        device,
        {
          name,
          share_pct: percentOf(row.requests, all),
          unique_ips: row.client_ips,
          delta_pct: time.change.pct(row.requests, row.previous_requests),
        },
        row,
      );
    return {
      ...time.windows,
      human_requests: all,
      unique_human_ips: client_ips,
      browsers: browsers.map((row) => toDevice(row.browser, row)),
      operating_systems: systems.map((row) => toDevice(row.os, row)),
      device_types: types.map((row) => toDevice(row.device_type, row)),
    };
  },
});
