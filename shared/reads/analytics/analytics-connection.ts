import { connectionOf } from '../../control/aggregates/connection.js';
import type { Connection } from '../../control/domain/model.js';
import type { ControlState } from '../../control/domain/state.js';

/** Whose rows the answers about web analytics are made of. */
export type AnalyticsConnection = Pick<Connection, 'websiteId' | 'sourceId' | 'property' | 'propertyName'>;

export const ANALYTICS_KIND = 'google-analytics';

/** null: the website has none connected. */
export function analyticsConnectionOf(state: ControlState, websiteId: string): AnalyticsConnection | null {
  const found = connectionOf(state, websiteId, ANALYTICS_KIND);
  if (found === null) return null;
  const { sourceId, property, propertyName } = found;
  return { websiteId, sourceId, property, propertyName };
}
