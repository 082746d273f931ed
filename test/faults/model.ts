import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { calls, says } from '../harness/jobs/model-server.js';

/** A language model that reads the summary of a website and refers to it. */

/** INSIGHTS_TOKENS_PER_DAY: enough to start a conversation again after the reserve of the first. */
export const TOKENS_A_DAY = 200_000;
/** As counted by the model's server. */
const USAGE = { prompt_tokens: 100, completion_tokens: 20 };
export const TOKENS_A_CALL = USAGE.prompt_tokens + USAGE.completion_tokens;
/** Delay of each answer, so that the process can be killed while it waits. */
const ANSWER_MS = 300;

/** The insight of a website. @param requests the number, or the reference to that fact. */
export const textOf = (requests: number | string) => `There were **${requests}** requests.`;

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
}

export function createModel() {
  const asked = new Map<string, number>();
  return {
    /** Number of calls about a website. */
    callsOf: (domain: string) => asked.get(domain) ?? 0,
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { messages } = JSON.parse(await text(request)) as Asked;
      const domain =
        messages
          .map(({ content }) => /"domain":"\{fact_\d+\}: ([^"]+)"/.exec(content ?? '')?.[1])
          .find(Boolean) ?? '';
      asked.set(domain, (asked.get(domain) ?? 0) + 1);
      await sleep(ANSWER_MS);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(messages)));
    },
  };
}

function answerTo(messages: Asked['messages']) {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return calls('summary', {}, USAGE);
  const { total_requests } = JSON.parse(last.content!.split('\n')[1]!) as { total_requests: string };
  return says(textOf(total_requests.slice(0, total_requests.indexOf(':'))), USAGE);
}
