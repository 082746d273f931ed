import { z } from '@hono/zod-openapi';
import type { Answer } from '../../../shared/answers/answer.js';
import { toAnswerWindow } from '../../../shared/answers/windows.js';
import type { Scope } from '../../../shared/queries/scope.js';
import { blockRowsFor, type SegmentRules } from '../../../shared/queries/segments.js';
import { readsRawRows } from '../../../shared/queries/source.js';
import { type OperationText, type WebsiteContext, websiteRead } from '../operation.js';
import { scopeParameters, type WindowOptions } from '../parameters.js';
import { resolveScope, type ScopeInput } from '../resolve-scope.js';
import { answerOrBuffer, bufferedSchema } from '../slow-reads/answer-or-buffer.js';

type Shape = z.ZodRawShape;
type Parameters = z.ZodObject<Shape>;

export interface WindowRead<Query extends Shape, AnswerShape extends Shape, Input>
  extends Omit<OperationText, 'answer' | 'pathParameters'> {
  readonly window?: WindowOptions;
  /** Parameters of the operation's own, beside the window and the filters. */
  readonly parameters?: z.ZodObject<Query>;
  /** Whether a segment narrows it (spec §2.1). */
  readonly segment: boolean;
  readonly answer: Answer<AnswerShape, Input>;
  /** What the answer is read with; default: the parameters. It is part of what names the question. */
  readonly input?: (parameters: z.output<z.ZodObject<Query>>, context: WebsiteContext) => Input;
  /** It reads raw rows of the whole window, whatever the filters. */
  readonly raw?: boolean;
  /** Segments that the read itself evaluates; they bound the rows of a block. */
  readonly segmentsOf?: (input: Input) => readonly SegmentRules[];
}

/** Longest wait for the second half once the first is there. */
const SECOND_HALF_MS = 1_000;

/**
 * A read of a window: it takes the window, the filters and perhaps a segment, and its answer says `data_buffering`. Rollups answer at
 * once; what has to come from raw rows may go on in the background, and of an answer in two halves (`Answer.complete`) the first is told
 * meanwhile.
 */
export function windowRead<Query extends Shape, AnswerShape extends Shape, Input>(
  operation: WindowRead<Query, AnswerShape, Input>,
) {
  const {
    window = {},
    parameters,
    segment,
    answer,
    raw = false,
    input: inputOf,
    segmentsOf,
    ...text
  } = operation;
  const query: Parameters = z.object({ ...scopeParameters(window, segment), ...parameters?.shape });
  const schema = bufferedSchema(answer.schema, undefined, answer.complete !== undefined);
  type Answered = z.input<typeof schema>;
  const asked = (given: object, context: WebsiteContext) => {
    const scope = resolveScope(given as ScopeInput, context);
    const own = given as z.output<z.ZodObject<Query>>;
    const input = inputOf === undefined ? (ownParameters(own, parameters) as Input) : inputOf(own, context);
    return { scope, input };
  };
  const mayTakeLong = (scope: Scope) => raw || answer.from.some((tables) => readsRawRows(tables, scope));
  return websiteRead({
    ...text,
    query,
    answer: schema,
    reuse(given, context) {
      const { scope, input } = asked(given as object, context);
      // A long read has begun when another caller asked: its answer is shared there (slow-reads), and as old as that. Kept as of
      // now it would be older than it says.
      if (mayTakeLong(scope) || answer.complete !== undefined) return null;
      const { start, end, running = false } = scope.window;
      return { on: [start, running ? null : end, scope.filters, input], tellsNow: running };
    },
    async run(given, context): Promise<Answered> {
      const { scope, input } = asked(given as object, context);
      const segments = [scope.filters.segment ?? [], segmentsOf?.(input) ?? []].flat() as SegmentRules[];
      const wholeTakesLong = mayTakeLong(scope);
      const inHalves = answer.complete !== undefined && !wholeTakesLong;
      const firstHalf = inHalves ? await answer.read(context.services.reader, scope, input) : null;
      const answered = await answerOrBuffer(context.services, {
        mayTakeLong: wholeTakesLong || inHalves,
        owner: context.website.organisationId,
        blockRows: blockRowsFor(segments),
        question: [operation.id, scope.websiteId, windowName(given as ScopeInput), scope.filters, input],
        read: async (reader) => {
          const told = firstHalf ?? (await answer.read(reader, scope, input));
          return answer.complete === undefined ? told : answer.complete(reader, scope, input, told);
        },
        schema: answer.schema,
        known: (firstHalf ?? { window: toAnswerWindow(scope.window) }) as object,
        patienceMs: inHalves ? SECOND_HALF_MS : undefined,
      });
      return answered as Answered;
    },
  });
}

/** Hours as hours, though their window moves on: a repeat is the same question. */
export function windowName({ hours, start, end }: ScopeInput): unknown {
  return start !== undefined && end !== undefined ? [start, end] : [hours];
}

function ownParameters(given: Record<string, unknown>, parameters: Parameters | undefined) {
  const names = new Set(Object.keys(parameters?.shape ?? {}));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
}
