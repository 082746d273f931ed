import { z } from 'zod';
import type { LanguageModel, Message } from '../language-model/language-model.js';
import { TERMS } from './prompt.js';

/**
 * The demo's replacement for a language model. It calls three tools and puts references to their facts into fixed sentences. Its text is checked, rendered
 * and stored like any other.
 */

/** Terms are the first facts of a conversation. */
const P95 = `{fact_${TERMS.indexOf('p95') + 1}}`;
const TOOLS = ['summary', 'bots_access', 'ai_crawlers'];

/** A fact in the form of the conversation. */
const fact = z.string().transform((shown) => {
  const [, reference, text] = /^(\{fact_\d{1,6}\}): (.*)$/.exec(shown) ?? [];
  return { reference: reference ?? shown, text: text ?? shown };
});
const figure = fact.transform(({ reference, text }) => {
  return { reference, value: Number.parseFloat(text.replaceAll(',', '')) };
});

const results = z.object({
  summary: z.object({
    ...{ total_requests: figure, human_requests: figure, search_bot_requests: figure },
    ...{ ai_bot_requests: figure, spoofed_bot_requests: figure },
    ...{ status_5xx: figure, error_rate_5xx_pct: figure, p95_time_ms: figure.nullable() },
  }),
  bots_access: z.object({
    bots: z.array(
      z.object({
        ...{ bot_name: fact, bot_category: fact, real_crawler: fact },
        ...{ verified_requests: figure, rejected: z.object({ verified: figure }) },
      }),
    ),
  }),
  ai_crawlers: z.object({ crawlers: z.array(z.object({ bot_name: fact, requests: figure })) }),
});

export const demoModel: LanguageModel = {
  name: 'recorded',
  sizeOf: () => 0,
  async complete({ messages }) {
    const told = messages.flatMap((message) => (message.role === 'tool' ? [resultOf(message)] : []));
    const toolCalls = TOOLS.slice(told.length).map((name) => ({ id: name, name, arguments: '{}' }));
    const [summary, bots_access, ai_crawlers] = told;
    const content = toolCalls.length > 0 ? '' : textOf(results.parse({ summary, bots_access, ai_crawlers }));
    const read = messages.map((message) => message.content).join(' ');
    // Counts one token per word, and one per call.
    const usage = { input: wordsOf(read), output: wordsOf(content) + toolCalls.length };
    return { content, toolCalls, isCut: false, usage };
  },
};

const wordsOf = (text: string) => text.split(' ').length;

/** The data of a result in the conversation, between its marks. @throws SyntaxError if it is an error message */
function resultOf({ content }: Extract<Message, { role: 'tool' }>): unknown {
  return JSON.parse(content.slice(content.indexOf('\n') + 1, content.lastIndexOf('\n')));
}

function textOf({ summary, bots_access, ai_crawlers }: z.output<typeof results>): string {
  // Blocked impostors and scanners are no problem.
  const refused = bots_access.bots.find(
    ({ bot_category, real_crawler }) =>
      bot_category.text === 'ai' && ['shut_out', 'inverted'].includes(real_crawler.text),
  );
  const [reader] = ai_crawlers.crawlers;
  const of = ({ reference }: { readonly reference: string }) => reference;
  const sentences = [
    summary.spoofed_bot_requests.value > 0 &&
      `**${of(summary.spoofed_bot_requests)} requests only claimed to be a crawler.** Turn their addresses away: the recommendations have a list for the server.`,
    `The server failed ${of(summary.status_5xx)} times, ${of(summary.error_rate_5xx_pct)} of ${of(summary.total_requests)} requests. Search engines crawl less where that repeats.`,
    `People made ${of(summary.human_requests)} requests, search crawlers ${of(summary.search_bot_requests)}, AI crawlers ${of(summary.ai_bot_requests)}.`,
    reader && `Of AI crawlers ${of(reader.bot_name)} asked most: ${of(reader.requests)} requests.`,
    refused &&
      `${of(refused.bot_name)} was turned away in ${of(refused.rejected.verified)} of ${of(refused.verified_requests)} proved requests. Check that this is intended.`,
    summary.p95_time_ms !== null && `The ${P95} response time was ${of(summary.p95_time_ms)}.`,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join('\n\n');
}
