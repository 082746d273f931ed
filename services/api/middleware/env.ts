import type { Website } from '../../../shared/control/domain/model.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { Caller } from '../control/api-control.js';

/** What the middleware passes on with a request. */
export interface ApiEnv {
  Variables: {
    requestId: string;
    log: Logger;
    /** Set by authenticate. */
    caller: Caller;
    /** The API key or the session's token as it was sent, set by authenticate; for sealing what only this caller may read. Never to be logged. */
    clearKey: string;
    /** Set by findWebsite. */
    website: Website;
    /** Why authenticate refused the key: the code of its error. */
    refusal: string | undefined;
    /** Set by the route; absent for paths that no operation owns. */
    operationId: string;
  };
}
