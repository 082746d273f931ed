import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface IngestMetrics {
  /** `status` is the answer's, or `aborted` if the sender disconnected before it. */
  readonly uploads: Counter<'source' | 'status'>;
  /** `reason` is the answer's field, else the error's code. */
  readonly refused: Counter<'reason'>;
  readonly lines: Counter<'source' | 'outcome'>;
  readonly bytes: Counter<'form'>;
  readonly seconds: Histogram;
}

export function createIngestMetrics(registry: Registry, uploadsInFlight: () => number): IngestMetrics {
  const registers = [registry];
  new Gauge({
    name: 'loglane_ingest_uploads_in_flight',
    help: 'Uploads in progress',
    registers,
    collect() {
      this.set(uploadsInFlight());
    },
  });
  return {
    uploads: new Counter({
      name: 'loglane_ingest_uploads_total',
      help: 'Uploads answered, by log source and HTTP status',
      labelNames: ['source', 'status'],
      registers,
    }),
    refused: new Counter({
      name: 'loglane_ingest_refused_uploads_total',
      help: 'Uploads that were refused or failed, by reason',
      labelNames: ['reason'],
      registers,
    }),
    lines: new Counter({
      name: 'loglane_ingest_lines_total',
      help: 'Records of uploads, by log source and outcome: accepted, rejected, skipped',
      labelNames: ['source', 'outcome'],
      registers,
    }),
    bytes: new Counter({
      name: 'loglane_ingest_bytes_total',
      help: 'Bytes of upload bodies, as sent and after decompression',
      labelNames: ['form'],
      registers,
    }),
    seconds: new Histogram({
      name: 'loglane_ingest_upload_duration_seconds',
      help: 'Time from an upload’s headers to its answer',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
  };
}
