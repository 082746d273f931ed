import type { Connection } from '../control/domain/model.js';

/** Names the rows that came from one connected property of an outside service: those of two properties never mix. */
export type ConnectedSource = Pick<Connection, 'websiteId' | 'sourceId'>;
