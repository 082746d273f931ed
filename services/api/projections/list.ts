import { alertAcknowledgements } from './alert-acknowledgements.js';
import type { ProjectedTable } from './projection.js';
import { siteEvents } from './site-events.js';

/** Every table that is projected from `control.events`. */
export const projectedTables: readonly ProjectedTable[] = [siteEvents, alertAcknowledgements];
