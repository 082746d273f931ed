import type { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../../shared/clickhouse/client.js';
import { previousWindow, type Scope } from '../../../shared/queries/scope.js';
import { blockRowsFor } from '../../../shared/queries/segments.js';
import { type OperationText, websiteRead } from '../operation.js';
import { resolveScope, resolveSegment, type ScopeInput, segmentParameter } from '../parameters.js';
import { answerOrBuffer, dataBuffering, emptyAnswer } from '../slow-reads/buffered-answer.js';
import { toAnswerWindow } from './answer-window.js';

type Shape = z.ZodRawShape;

export interface SegmentRead<Query extends Shape, Answer extends Shape>
  extends Omit<OperationText, 'answer' | 'pathParameters'> {
  /** Those of windowParameters() and the operation's own. */
  readonly query: z.ZodObject<Query>;
  readonly answer: z.ZodObject<Answer>;
  /** Where it needs raw rows of the whole window even without a segment. */
  readonly readsRawRows?: (scope: Scope) => boolean;
  read(
    reader: ClickHouseReader,
    scope: Scope,
    input: z.output<z.ZodObject<Query>>,
  ): Promise<z.input<z.ZodObject<Answer>>>;
}

/**
 * A read of a window that a segment may narrow (spec §2.1): it takes `segment`, and its answer says `data_buffering`.
 * Rollups answer at once; what has to come from raw rows may go on in the background.
 */
export function segmentRead<Query extends Shape, Answer extends Shape>(
  operation: SegmentRead<Query, Answer>,
) {
  const { query, answer, readsRawRows = () => false, read, ...text } = operation;
  const bufferedAnswer = answer.extend({ data_buffering: dataBuffering });
  type BufferedAnswer = z.input<typeof bufferedAnswer>;
  return websiteRead({
    ...text,
    query: query.extend({ segment: segmentParameter }),
    answer: bufferedAnswer,
    reuse(given, context) {
      const input = given as unknown as ScopeInput;
      return {
        on: [resolveSegment(input.segment, context)],
        tellsNow: input.start === undefined || input.end === undefined,
      };
    },
    async run(given, context): Promise<BufferedAnswer> {
      const input = given as unknown as ScopeInput & z.output<z.ZodObject<Query>>;
      const scope = resolveScope(input, context);
      const answered = await answerOrBuffer(context.services, {
        mayTakeLong: scope.segment !== null || readsRawRows(scope),
        owner: context.website.organisationId,
        blockRows: scope.segment === null ? undefined : blockRowsFor([scope.segment]),
        // The segment's content, not its id: it may be replaced.
        question: [operation.id, scope.websiteId, { ...input, segment: scope.segment }],
        read: (reader) => read(reader, scope, input),
        empty: () =>
          emptyAnswer(answer, {
            window: toAnswerWindow(scope.window),
            'previous.window': toAnswerWindow(previousWindow(scope.window)),
          }),
      });
      return answered as BufferedAnswer;
    },
  });
}
