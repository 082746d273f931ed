import { z } from 'zod';
import type { LanguageModel, Message } from '../../../shared/language-model/language-model.js';

/**
 * What stands in for a language model in the demo: it calls three tools, and puts their figures into fixed sentences. The text goes the way of any other: it is
 * held against what the tools returned, and stored.
 */

const TOOLS = ['summary', 'bots_access', 'ai_crawlers'];

const results = z.object({
  summary: z.object({
    ...{ total_requests: z.number(), human_requests: z.number(), search_bot_requests: z.number() },
    ...{ ai_bot_requests: z.number(), spoofed_bot_requests: z.number() },
    ...{ status_5xx: z.number(), error_rate_5xx_pct: z.number(), p95_time_ms: z.number().nullable() },
  }),
  bots_access: z.object({
    bots: z.array(
      z.object({ bot_name: z.string(), bot_category: z.string(), rejected_share_pct: z.number() }),
    ),
  }),
  ai_crawlers: z.object({
    crawlers: z.array(z.object({ bot_name: z.string(), requests: z.number(), intent: z.string() })),
  }),
});

export const recordedModel: LanguageModel = {
  name: 'recorded',
  sizeOf: () => 0,
  async complete({ messages }) {
    const told = messages.flatMap((message) => (message.role === 'tool' ? [resultOf(message)] : []));
    const toolCalls = TOOLS.slice(told.length).map((name) => ({ id: name, name, arguments: '{}' }));
    const [summary, bots_access, ai_crawlers] = told;
    const content = toolCalls.length > 0 ? '' : textOf(results.parse({ summary, bots_access, ai_crawlers }));
    const read = messages.map((message) => message.content).join(' ');
    // A word is a token to it, and a call is one.
    const usage = { input: wordsOf(read), output: wordsOf(content) + toolCalls.length };
    return { content, toolCalls, isCut: false, usage };
  },
};

const wordsOf = (text: string) => text.split(' ').length;

/** A result as the conversation gives it, between its marks. @throws SyntaxError where it is an error in words. */
function resultOf({ content }: Extract<Message, { role: 'tool' }>): unknown {
  return JSON.parse(content.slice(content.indexOf('\n') + 1, content.lastIndexOf('\n')));
}

function textOf({ summary, bots_access, ai_crawlers }: z.output<typeof results>): string {
  // Tools that scanners use are turned away by right.
  const refused = bots_access.bots.find(
    ({ bot_category, rejected_share_pct }) => bot_category === 'ai' && rejected_share_pct > 50,
  );
  const [reader] = ai_crawlers.crawlers;
  const sentences = [
    summary.spoofed_bot_requests > 0 &&
      `**${summary.spoofed_bot_requests} requests only claimed to be a crawler.** Turn their addresses away: the recommendations have a list for the server.`,
    `The server failed ${summary.status_5xx} times, ${summary.error_rate_5xx_pct} % of ${summary.total_requests} requests. Search engines crawl less where that repeats.`,
    `People made ${summary.human_requests} requests, search crawlers ${summary.search_bot_requests}, AI crawlers ${summary.ai_bot_requests}.`,
    reader && `Of AI crawlers \`${reader.bot_name}\` asked most: ${reader.requests} requests.`,
    refused &&
      `\`${refused.bot_name}\` was turned away in ${refused.rejected_share_pct} % of its requests. Check that this is intended.`,
    summary.p95_time_ms !== null && `The p95 response time was ${summary.p95_time_ms} ms.`,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join('\n\n');
}
