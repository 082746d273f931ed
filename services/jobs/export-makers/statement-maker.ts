import { Readable } from 'node:stream';
import type { Export, Website } from '../../../shared/control/domain/model.js';
import { EXPORT_MANIFEST } from '../../../shared/files/export-link.js';
import { fileKindOf } from '../../../shared/files/file-kind.js';
import { toAnswerWindow } from '../../../shared/reads/answer/windows.js';
import { exportTypeOf } from '../../../shared/reads/exports/all-export-types.js';
import { type ComposeDeps, UnknownPatternError } from '../../../shared/reads/exports/export-type.js';
import { type ExportQuestion, exportQuestion, scopeOf } from '../../../shared/reads/exports/question.js';
import { renderExport } from '../../../shared/reads/exports/render.js';
import type { RecommendationInput } from '../../../shared/reads/recommendations/recommendation-input.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { ATTEMPT_MS } from './after-failure.js';
import { ExportRefusedError, type MadeFile, type Maker } from './maker.js';

export interface StatementMakerOptions {
  readonly clickhouse: ClickHouse;
  readonly websiteOf: (id: string) => Website | undefined;
  readonly recommendationsOf: (websiteId: string) => RecommendationInput;
  /** The version of the crawler table and address lists in force. */
  readonly rulesVersion: () => string;
  readonly newId: () => string;
}

/** Makes every type of shared/reads/exports: the engine writes the file, and its bytes are passed on. */
export function createStatementMaker(options: StatementMakerOptions): Maker {
  const { clickhouse, websiteOf, recommendationsOf, rulesVersion, newId } = options;

  async function composed(
    asked: Export,
    question: ExportQuestion,
    deps: Pick<ComposeDeps, 'now' | 'signal'>,
  ) {
    const type = exportTypeOf(asked.exportType)!;
    const { websiteId } = asked;
    const website = websiteOf(websiteId);
    if (website === undefined) throw new ExportRefusedError('The website is gone.');
    const compose: ComposeDeps = {
      ...deps,
      clickhouse,
      domain: website.domain,
      newId,
      recommendations: recommendationsOf(websiteId),
    };
    try {
      return { type, rows: await type.compose(compose, scopeOf(websiteId, question), question) };
    } catch (error) {
      if (error instanceof UnknownPatternError) throw new ExportRefusedError(error.message);
      throw error;
    }
  }

  return {
    async make(asked, { now, signal }) {
      const question = exportQuestion.parse(JSON.parse(asked.question));
      const { type, rows: composition } = await composed(asked, question, { now: now(), signal });
      const { compression, ending, contentType } = fileKindOf(question.format, question.compression);
      const { bytes, rows } = await clickhouse.readFile({
        ...renderExport(type.columns, composition, question.format),
        name: `exports.${type.name}`,
        compression,
        timeoutMs: ATTEMPT_MS,
        signal,
      });
      if (composition.rows !== undefined && rows !== composition.rows) {
        bytes.destroy();
        throw new Error(`the store returned ${rows} of ${composition.rows} rows`);
      }
      const file: MadeFile = {
        name: `${nameOf(asked, question)}${ending}`,
        contentType,
        bytes,
      };
      return {
        rows,
        file,
        beside: (stored) => [
          manifestFile({
            job_id: asked.id,
            website_id: asked.websiteId,
            export_type: type.name,
            file: file.name,
            format: question.format,
            compression,
            rows,
            bytes: stored.bytes,
            sha256: stored.sha256,
            filters: JSON.parse(asked.filters),
            ignored_filters: question.ignored,
            window: toAnswerWindow({ start: question.start, end: question.end }),
            rules_version: rulesVersion(),
            columns: type.columns.map(({ name }) => name),
            equals: type.read,
            made_at: new Date(now()).toISOString(),
          }),
        ],
      };
    },
  };
}

/** `paths-2026-11-01-2026-11-22`: its first and its last day. */
function nameOf({ exportType }: Export, { start, end }: ExportQuestion): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `${exportType}-${day(start)}-${day(Math.max(end - 1, start))}`;
}

function manifestFile(manifest: object): MadeFile {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  return { name: EXPORT_MANIFEST, contentType: 'application/json', bytes: Readable.from([text]) };
}
