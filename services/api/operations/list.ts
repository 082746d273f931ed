import type { Operation } from '../operation.js';
import { createWebsite } from './account/create-website.js';
import { listWebsites } from './account/list-websites.js';
import { getIpRequests } from './requests/get-ip-requests.js';
import { getLive } from './requests/get-live.js';
import { searchRequests } from './requests/search-requests.js';
import { getSetup } from './setup/get-setup.js';
import { getBots } from './traffic/get-bots.js';
import { getBotsAccess } from './traffic/get-bots-access.js';
import { getDevices } from './traffic/get-devices.js';
import { getGeography } from './traffic/get-geography.js';
import { getIps } from './traffic/get-ips.js';
import { getPaths } from './traffic/get-paths.js';
import { getReferrers } from './traffic/get-referrers.js';
import { getStatusCodes } from './traffic/get-status-codes.js';
import { getSummary } from './traffic/get-summary.js';
import { getTraffic } from './traffic/get-traffic.js';

/** Every operation, in the order of the specification. Routes, OpenAPI document and contract tests come from it. */
export const operations: readonly Operation[] = [
  // spec §4.1
  listWebsites,
  createWebsite,
  // spec §4.2
  getSetup,
  getSummary,
  getTraffic,
  getBots,
  getBotsAccess,
  getPaths,
  getGeography,
  getStatusCodes,
  getIps,
  getReferrers,
  getDevices,
  getIpRequests,
  getLive,
  searchRequests,
];
