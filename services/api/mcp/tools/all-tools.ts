import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Answer } from '../answer.js';
import type { RandomBytes } from '../fence.js';
import { aiVisibility } from './ai-visibility.js';
import { callOperation, changeOperation } from './any-operation.js';
import type { ToolName } from './catalogue.js';
import { describeOperation } from './describe-operation.js';
import { explainUrl } from './explain-url.js';
import { findRequests } from './find-requests.js';
import { getOverview } from './get-overview.js';
import { incidents } from './incidents.js';
import { listWebsites } from './list-websites.js';
import { queryTraffic } from './query-traffic.js';
import { seoHealth } from './seo-health.js';
import type { ToolContext } from './tool.js';

type Run = (
  args: never,
  context: ToolContext,
  randomBytes: RandomBytes,
) => Promise<Answer | CallToolResult | InputRequiredResult>;

/** Adding a tool means adding its text to catalogue.ts and its run here. */
export const runs: Readonly<Record<ToolName, Run>> = {
  list_websites: listWebsites,
  get_overview: getOverview,
  query_traffic: queryTraffic,
  ai_visibility: aiVisibility,
  seo_health: seoHealth,
  explain_url: explainUrl,
  incidents,
  find_requests: findRequests,
  describe_operation: describeOperation,
  call_operation: callOperation,
  change_operation: changeOperation,
};
