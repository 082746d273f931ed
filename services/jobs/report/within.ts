import type { ReportData } from './report-data.js';

/** Alerts that were found inside the report's window, newest first. */
export function alertsWithin({ alerts, window }: ReportData): ReportData['alerts']['alerts'] {
  return alerts.alerts.filter(({ created_at }) => {
    const at = Date.parse(created_at as string);
    return at >= window.start && at < window.end;
  });
}
