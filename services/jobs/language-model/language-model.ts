/** The port to a language model that may call tools. */

/** A function that the model may ask for. */
export interface ToolText {
  /** Letters, digits and `_`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments: an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  /** Names the call within the conversation. */
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: JSON, if it kept to what it was told. */
  readonly arguments: string;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export interface Turn {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolText[];
  /** false: it is to answer in words, though it has called tools before. */
  readonly mayCallTools: boolean;
  /** Of the answer. */
  readonly maxTokens: number;
}

export interface Completion {
  /** '' where it only calls tools. */
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Whether the answer ended because it was too long. */
  readonly isCut: boolean;
  /** Tokens as the model's server counted them; null where it does not tell. */
  readonly usage: { readonly input: number; readonly output: number } | null;
}

export interface LanguageModel {
  /** Its name, as configured: in metrics and with what it wrote. */
  readonly name: string;
  /**
   * Bytes of the turn as it is sent. A token is a byte at least, so it has no more tokens than that.
   */
  readonly sizeOf: (turn: Turn) => number;
  /** @throws ModelError; what the signal was aborted with. */
  readonly complete: (turn: Turn, signal: AbortSignal) => Promise<Completion>;
}

/** Why there is no answer. `refused`: a repeat would be refused, too. */
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

/** Its text names neither the address nor the key, and holds nothing of what the server said. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;

  /** @param status of HTTP, where there was one. */
  constructor(code: ModelErrorCode, status?: number) {
    super(`the language model ${texts[code]}${status === undefined ? '' : ` (status ${status})`}`);
    this.name = 'ModelError';
    this.code = code;
  }
}
