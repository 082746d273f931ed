import type { Connection } from '../control/domain/model.js';

/** Identifies the rows of one connected property of an external service. Rows of two properties never mix. */
export type ConnectedSource = Pick<Connection, 'websiteId' | 'sourceId'>;
