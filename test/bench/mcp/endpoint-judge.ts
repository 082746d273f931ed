import { z } from 'zod';
import type { Judge, ListedTool } from './judge.js';

export interface Endpoint {
  /** Address of chat completions, such as https://models.example/v1/chat/completions. */
  url: string;
  key?: string | undefined;
  model: string;
  /** Instructions of the server to a model. */
  instructions: string;
}

const TIMEOUT_MS = 60_000;
/** An answer is one call of a tool; a longer one is an error of the endpoint. */
const MAX_TOKENS = 1_000;

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          tool_calls: z
            .array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
});

/** Asks a model for its first call, through any endpoint that speaks chat completions with tools. */
export function endpointJudge(tools: readonly ListedTool[], endpoint: Endpoint): Judge {
  const functions = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  return {
    name: endpoint.model,
    bar: 0.9,
    choose: async (wording) => {
      const response = await fetch(endpoint.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(endpoint.key !== undefined && { Authorization: `Bearer ${endpoint.key}` }),
        },
        body: JSON.stringify({
          model: endpoint.model,
          max_tokens: MAX_TOKENS,
          messages: [
            { role: 'system', content: endpoint.instructions },
            { role: 'user', content: wording },
          ],
          tools: functions,
          tool_choice: 'auto',
        }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) {
        const text = await response.text();
        throw new Error(`The endpoint answered ${response.status}: ${text.slice(0, 300)}`);
      }
      const call = completion.parse(await response.json()).choices[0]!.message.tool_calls?.[0]?.function;
      return call === undefined ? null : { tool: call.name, arguments: argumentsOf(call.arguments) };
    },
  };
}

/** A model may write arguments that are no JSON: it chose the tool, and no argument. */
function argumentsOf(text: string): Record<string, unknown> {
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
