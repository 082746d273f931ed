import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Website } from '../../../shared/control/domain/model.js';
import { reportQuestion } from '../../../shared/control/exports/report-period.js';
import { EXPORT_MANIFEST, REPORT_HTML } from '../../../shared/files/export-link.js';
import type { AiLandingInput } from '../../../shared/reads/ai/ai-landing.js';
import { toAnswerWindow } from '../../../shared/reads/answer/windows.js';
import type { RecommendationInput } from '../../../shared/reads/recommendations/recommendation-input.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { ExportRefusedError, type MadeFile, type Maker } from '../export-makers/maker.js';
import { composeReport } from './compose-report.js';
import { findAll } from './findings/all-report-findings.js';
import { gatherReport, type ReportSources } from './gather-report.js';
import { renderHtml } from './html/render-html.js';
import { renderPdf } from './pdf/render-pdf.js';

export interface ReportMakerOptions {
  readonly clickhouse: ClickHouseReader;
  readonly websiteOf: (id: string) => Website | undefined;
  readonly recommendationsOf: (websiteId: string) => RecommendationInput;
  readonly sourcesOf: (websiteId: string) => ReportSources;
  /** Whether this installation sends requests to websites. */
  readonly fetchesWebsites: boolean;
  /** The rules by which the enricher recognises visits from AI assistants. */
  readonly detection: AiLandingInput['detection'];
}

const DOMAIN_IN_NAME = 80;

/** Makes the technical SEO report: a PDF, the same report as a page, and a manifest of both. */
export function createReportMaker(options: ReportMakerOptions): Maker {
  return {
    async make(asked, { signal }) {
      const { start, end, prepared_for } = reportQuestion.parse(JSON.parse(asked.question));
      const website = options.websiteOf(asked.websiteId);
      if (website === undefined) throw new ExportRefusedError('The website is gone.');
      const askedAt = Date.parse(asked.createdAt);
      const data = await gatherReport({
        clickhouse: options.clickhouse,
        fetchesWebsites: options.fetchesWebsites,
        detection: options.detection,
        recommendations: options.recommendationsOf(website.id),
        sources: options.sourcesOf(website.id),
        ...{ website, window: { start, end }, askedAt, signal },
      });
      const findings = findAll(data);
      const report = composeReport(data, findings, prepared_for);
      const pdf = await renderPdf(report, { madeAt: askedAt, signal });
      const html = Buffer.from(renderHtml(report));
      const day = (at: number) => new Date(at).toISOString().slice(0, 10);
      const file = fileOf(`seo-report-${nameOf(website)}-${day(end - 1)}.pdf`, 'application/pdf', pdf);
      return {
        rows: findings.length,
        file,
        beside: (stored) => [
          fileOf(REPORT_HTML, 'text/html; charset=utf-8', html),
          fileOf(
            EXPORT_MANIFEST,
            'application/json',
            Buffer.from(
              `${JSON.stringify(
                {
                  job_id: asked.id,
                  website_id: website.id,
                  export_type: asked.exportType,
                  file: file.name,
                  ...stored,
                  html: { file: REPORT_HTML, bytes: html.length, sha256: digestOf(html) },
                  findings: findings.length,
                  filters: JSON.parse(asked.filters),
                  window: toAnswerWindow({ start, end }),
                  rules_versions: data.summary.rules_versions,
                  asked_at: asked.createdAt,
                },
                null,
                2,
              )}\n`,
            ),
          ),
        ],
      };
    },
  };
}

/** Letters, digits, dots and hyphens of the domain, for use in a file's name. */
const nameOf = ({ domain }: Website) => domain.replace(/[^a-z0-9.-]/gi, '-').slice(0, DOMAIN_IN_NAME);

function fileOf(name: string, contentType: string, bytes: Buffer): MadeFile {
  return { name, contentType, bytes: Readable.from([bytes]) };
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
