import { z } from 'zod';
import { type Completion, ModelError, type Turn } from './language-model.js';

/** The needed parts of OpenAI's chat completions with tools, for requests and responses. */

/** The body of a request. */
export function toRequestBody(model: string, { messages, tools, mayCallTools, maxTokens }: Turn): string {
  return JSON.stringify({
    model,
    messages: messages.map((message) => {
      if (message.role === 'tool')
        return { role: 'tool', tool_call_id: message.callId, content: message.content };
      if (message.role !== 'assistant' || message.toolCalls.length === 0)
        return { role: message.role, content: message.content };
      const calls = message.toolCalls.map(({ id, name, arguments: given }) => {
        return { id, type: 'function', function: { name, arguments: given } };
      });
      return {
        role: 'assistant',
        content: message.content === '' ? null : message.content,
        tool_calls: calls,
      };
    }),
    tools: tools.map(({ name, description, parameters }) => {
      return { type: 'function', function: { name, description, parameters } };
    }),
    tool_choice: mayCallTools ? 'auto' : 'none',
    max_tokens: maxTokens,
    temperature: 0,
    stream: false,
  });
}

/** Far more than any conversation has. A larger count is ignored. */
const tokens = z.int().min(0).max(100_000_000);

const toolCall = z.object({
  id: z.string().max(200),
  function: z.object({ name: z.string().max(200), arguments: z.string().max(100_000) }),
});

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z.array(toolCall).max(100).nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

/** @throws ModelError `garbled` */
export function readCompletion(text: string): Completion {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ModelError('garbled');
  }
  const parsed = completion.safeParse(body);
  if (!parsed.success) throw new ModelError('garbled');
  const { choices, usage } = parsed.data;
  const { message, finish_reason } = choices[0]!;
  return {
    content: message.content ?? '',
    toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => {
      return { id, name, arguments: given };
    }),
    isCut: finish_reason === 'length',
    usage: usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : null,
  };
}
