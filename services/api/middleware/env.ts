import type { Website } from '../../../shared/control/domain/model.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { Caller } from '../control/api-control.js';

/** Variables that the middleware sets on a request. */
export interface ApiEnv {
  /** Made by this program, never by a request: the call comes from the MCP server, whose clients have tokens of their own. */
  Bindings: { throughMcp?: true };
  Variables: {
    requestId: string;
    log: Logger;
    /** Set by authenticate. */
    caller: Caller;
    /** The API key as sent, set by authenticate. It encrypts data that only this caller may read. Never log it. */
    clearKey: string;
    /** Set by findWebsite. */
    website: Website;
    /** Error code of a key that authenticate refused. */
    refusal: string | undefined;
    /** Set by the route; absent for paths without an operation. */
    operationId: string;
  };
}
