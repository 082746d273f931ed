import { connectionOf } from '../../control/aggregates/connection.js';
import type { Connection } from '../../control/domain/model.js';
import type { ControlState } from '../../control/domain/state.js';

/** The connection whose rows the answers about web analytics use. */
export type AnalyticsConnection = Pick<Connection, 'websiteId' | 'sourceId' | 'property' | 'propertyName'>;

export const ANALYTICS_KIND = 'google-analytics';

/** null: the website has no analytics connection. */
export function analyticsConnectionOf(state: ControlState, websiteId: string): AnalyticsConnection | null {
  const found = connectionOf(state, websiteId, ANALYTICS_KIND);
  if (found === null) return null;
  const { sourceId, property, propertyName } = found;
  return { websiteId, sourceId, property, propertyName };
}
