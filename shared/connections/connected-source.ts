import type { Connection } from '../control/model.js';

/** Whose rows are meant of what an outside service tells of a website: rows of two properties never mix. */
export type ConnectedSource = Pick<Connection, 'websiteId' | 'sourceId'>;
