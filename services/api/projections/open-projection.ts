import type { Service } from '../../../shared/service/service.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { alertAcknowledgements } from './alert-acknowledgements.js';
import { createProjection, type ProjectedTable, type Projection } from './projection.js';
import { siteEvents } from './site-events.js';

/** All tables that are projected from `control.events`. */
export const projectedTables: readonly ProjectedTable[] = [siteEvents, alertAcknowledgements];

/** Writes the tables until the process stops. Open it before the control plane that feeds it, so that it stops later. */
export function openProjection(
  { logger, onStop }: Pick<Service, 'logger' | 'onStop'>,
  clickhouse: ClickHouse,
): Projection {
  const projection = createProjection({ clickhouse, tables: projectedTables, logger });
  onStop(() => projection.stop());
  return projection;
}
