import type { Website } from '../../../shared/control/model.js';
import type { Logger } from '../../../shared/log.js';
import type { Caller } from '../api-control.js';

/** What the middleware passes on with a request. */
export interface ApiEnv {
  Variables: {
    requestId: string;
    log: Logger;
    /** Set by authenticate. */
    caller: Caller;
    /** Set by findWebsite. */
    website: Website;
    /** Set by the route; absent for paths that no operation owns. */
    operationId: string;
  };
}
