import type { z } from 'zod';
import type { Answer } from '../answer.js';
import { answerView } from './answer-view.js';
import type { inputs } from './catalogue.js';
import type { ToolContext } from './tool.js';

type Args = z.output<(typeof inputs)['find_requests']>;

const columns = [
  'timestamp',
  'method',
  'host',
  'path',
  'query',
  'status',
  'client_ip',
  'country',
  'as_name',
  'bot_name',
  'bot_verification_status',
  'time_taken_ms',
  'referrer',
  'user_agent',
];

export function findRequests(args: Args, context: ToolContext): Promise<Answer> {
  const isClass = args.status?.endsWith('xx') === true;
  const rest = {
    bot_name: args.bot,
    client_ip: args.ip,
    path: args.path_contains,
    status: isClass ? undefined : args.status,
    status_category: isClass ? args.status : undefined,
    method: args.method?.toUpperCase(),
    user_agent: args.user_agent_contains,
  };
  const view = {
    operation: 'searchRequests',
    list: 'requests',
    columns,
    parameters: rest,
    console: { screen: 'requests', rest },
  };
  return answerView(view, args, context);
}
