import type { WebsiteRead } from '../../services/api/operation.js';
import { getUnknownBots } from '../../services/api/operations/bots/get-unknown-bots.js';
import { getBots } from '../../services/api/operations/traffic/get-bots.js';
import { getBotsAccess } from '../../services/api/operations/traffic/get-bots-access.js';
import { getDevices } from '../../services/api/operations/traffic/get-devices.js';
import { getGeography } from '../../services/api/operations/traffic/get-geography.js';
import { getIps } from '../../services/api/operations/traffic/get-ips.js';
import { getPaths } from '../../services/api/operations/traffic/get-paths.js';
import { getReferrers } from '../../services/api/operations/traffic/get-referrers.js';
import { getStatusCodes } from '../../services/api/operations/traffic/get-status-codes.js';
import { getSummary } from '../../services/api/operations/traffic/get-summary.js';
import { getTraffic } from '../../services/api/operations/traffic/get-traffic.js';
import type { Truth } from './counting.js';
import * as botAnswers from './expected-bots.js';
import * as trafficAnswers from './expected-traffic.js';
import * as visitorAnswers from './expected-visitors.js';

/** A read of a window, and its answer counted one by one. */
export interface TrueRead {
  readonly name: string;
  readonly operation: WebsiteRead;
  /** Beside the window. */
  readonly parameters: Record<string, string>;
  readonly expected: (truth: Truth) => object;
}

const LIMIT = 150;

function read(
  name: string,
  operation: unknown,
  expected: TrueRead['expected'],
  parameters: Record<string, string> = {},
): TrueRead {
  return {
    name,
    operation: operation as WebsiteRead,
    parameters,
    expected: (truth) => ({ ...expected(truth), data_buffering: false }),
  };
}

/** That a segment narrows (spec §2.1). No read is buffering here. */
export const segmentReads: readonly TrueRead[] = [
  read('summary', getSummary, trafficAnswers.summary),
  read('traffic', getTraffic, trafficAnswers.traffic),
  read('status-codes', getStatusCodes, trafficAnswers.statusCodes),
  read('bots', getBots, (truth) => botAnswers.bots(truth, false)),
  read('bots by variant', getBots, (truth) => botAnswers.bots(truth, true), { split_variants: 'yes' }),
  read('bots/access', getBotsAccess, botAnswers.botsAccess),
  read('paths', getPaths, (truth) => trafficAnswers.paths(truth, LIMIT), { limit: `${LIMIT}` }),
  read('referrers', getReferrers, (truth) => visitorAnswers.referrers(truth, 4), { limit: '4' }),
  read('devices', getDevices, visitorAnswers.devices),
];

/** That ignore segments. */
export const unsegmentedReads: readonly TrueRead[] = [
  read('geography', getGeography, visitorAnswers.geography),
  read('bots/unknown', getUnknownBots, (truth) => botAnswers.unknownBots(truth, 3), { limit: '3' }),
  read('ips', getIps, (truth) => visitorAnswers.ips(truth, LIMIT), { limit: `${LIMIT}` }),
];

export const windows: Readonly<Record<string, Record<string, string>>> = {
  'the last hour': { hours: '1' },
  'the last 24 hours': { hours: '24' },
  'part of one hour': { start: '2026-11-03T10:05:00Z', end: '2026-11-03T10:55:00.500Z' },
  'a week of whole days over the end of a month': { start: '2026-10-28', end: '2026-11-03' },
  'cut days far apart': { start: '2026-10-02T23:59:59.999Z', end: '2026-11-02T12:00:00.001Z' },
};
