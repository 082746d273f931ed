/** The port to a language model that may call tools. */

/** A function that the model may call. */
export interface ToolText {
  /** Letters, digits and `_`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments: an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  /** Identifies the call within the conversation. */
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: JSON, if it followed its instructions. */
  readonly arguments: string;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export interface Turn {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolText[];
  /** false: it must answer in words, although it has called tools before. */
  readonly mayCallTools: boolean;
  /** For the answer. */
  readonly maxTokens: number;
}

export interface Completion {
  /** '' if it only calls tools. */
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Whether the answer was cut because it was too long. */
  readonly isCut: boolean;
  /** Tokens as the model's server counted them; null if it does not count them. */
  readonly usage: { readonly input: number; readonly output: number } | null;
}

export interface LanguageModel {
  /** The configured name, for metrics and for stored texts. */
  readonly name: string;
  /** Bytes of the turn as sent. A token has at least one byte, so this is a maximum of its tokens. */
  readonly sizeOf: (turn: Turn) => number;
  /** @throws ModelError; the signal's reason */
  readonly complete: (turn: Turn, signal: AbortSignal) => Promise<Completion>;
}

/** Why there is no answer. `refused`: a retry would be refused too. */
export type ModelErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'busy'
  | 'failed'
  | 'refused'
  | 'too_large'
  | 'garbled';

const texts: Readonly<Record<ModelErrorCode, string>> = {
  unreachable: 'could not be reached, or broke off',
  timeout: 'took too long',
  busy: 'takes no more calls for now',
  failed: 'answered with an error of its own',
  refused: 'refused the call',
  too_large: 'sent more than is taken',
  garbled: 'sent what is no chat completion',
};

/** The message contains neither the address nor the key, and no text of the server. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;

  /** @param status the HTTP status, if there was one */
  constructor(code: ModelErrorCode, status?: number) {
    super(`the language model ${texts[code]}${status === undefined ? '' : ` (status ${status})`}`);
    this.name = 'ModelError';
    this.code = code;
  }
}
