import {
  notFoundExport,
  slowExport,
  statusCodesExport,
  trafficExport,
  unverifiedExport,
} from './computed-exports.js';
import { budgetUrlsExport, ipsExport, patternUrlsExport, sitemapCoverageExport } from './crawler-lists.js';
import type { ExportType } from './export-type.js';
import { requestsExport, seoRequestsExport } from './single-requests.js';
import {
  botHistoryExport,
  botsExport,
  devicesExport,
  geographyExport,
  pathsExport,
  referrersExport,
} from './traffic-lists.js';

/** All types of exports, in the order of the spec (§4.10). */
export const exportTypes: readonly ExportType[] = [
  trafficExport,
  pathsExport,
  statusCodesExport,
  botsExport,
  botHistoryExport,
  referrersExport,
  geographyExport,
  devicesExport,
  ipsExport,
  sitemapCoverageExport,
  budgetUrlsExport,
  requestsExport,
  seoRequestsExport,
  patternUrlsExport,
  notFoundExport,
  slowExport,
  unverifiedExport,
];

const byName = new Map(exportTypes.map((type) => [type.name, type]));

export function exportTypeOf(name: string): ExportType | undefined {
  return byName.get(name);
}
