import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SECOND_MS } from '../../../../shared/durations.js';
import type { ReportDocument } from '../model/document.js';
import { withBreaks } from './breakable.js';
import type { PdfAsked, PdfMade } from './pdf-messages.js';

export interface PdfOptions {
  /** Milliseconds since the epoch; the creation time in the file. */
  readonly madeAt: number;
  readonly signal: AbortSignal;
  /** The time limit of the process; default {@link LONGEST_MS}. */
  readonly longestMs?: number;
  /** The memory limit of the process, where the system reports memory (Linux); default {@link MOST_BYTES}. */
  readonly mostBytes?: number;
}

/** A report takes a tenth of a second. */
const LONGEST_MS = 60 * SECOND_MS;
/** A report takes 130 MB. */
const MOST_BYTES = 512 * 1024 ** 2;
const LOOK_MS = 100;
const HEAP_MB = 128;

/** The PDF could not be written; the message is for the log. */
export class PdfError extends Error {}

/**
 * Writes the PDF in a process of its own. The process ends with the PDF, or at its limit of time or memory.
 * @throws PdfError; the signal's reason
 */
export async function renderPdf(report: ReportDocument, options: PdfOptions): Promise<Buffer> {
  const { signal, madeAt, longestMs = LONGEST_MS, mostBytes = MOST_BYTES } = options;
  signal.throwIfAborted();
  const child = forkWriter();
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  let wentTooFar: string | null = null;
  const stop = (reason: string) => {
    wentTooFar = reason;
    end();
  };
  const timer = setTimeout(() => stop(`it took longer than ${longestMs} ms`), longestMs);
  const looks = setInterval(async () => {
    if ((await memoryOf(child)) > mostBytes) stop(`it took more than ${mostBytes} bytes of memory`);
  }, LOOK_MS);
  try {
    const asked: PdfAsked = {
      report: JSON.stringify(withBreaks(report), wellFormed),
      madeAt: Math.floor(madeAt / SECOND_MS),
    };
    const made = await answerOf(child, asked);
    signal.throwIfAborted();
    if ('pdf' in made) return Buffer.from(made.pdf);
    throw new PdfError(`the PDF was not written: ${(wentTooFar ?? made.problem).slice(0, 1_000)}`);
  } finally {
    clearTimeout(timer);
    clearInterval(looks);
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Replaces unpaired surrogates by U+FFFD: Typst rejects JSON with them. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}

function forkWriter(): ChildProcess {
  const fromSource = fileURLToPath(import.meta.url).endsWith('.ts');
  const entry = fileURLToPath(new URL(`./pdf-main.${fromSource ? 'ts' : 'js'}`, import.meta.url));
  const { PATH = '', TMPDIR } = process.env;
  return fork(entry, [], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, ...(fromSource ? ['--import', 'tsx'] : [])],
    // The report has foreign texts, so the process gets no key and no token of the service.
    env: TMPDIR === undefined ? { PATH } : { PATH, TMPDIR },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}

function answerOf(child: ChildProcess, asked: PdfAsked): Promise<PdfMade> {
  return new Promise((resolve) => {
    child.once('message', (made) => resolve(made as PdfMade));
    child.once('error', (error) => resolve({ problem: error.message }));
    child.once('exit', (code, ended) => resolve({ problem: `its process ended (${ended ?? code})` }));
    child.send(asked, () => {});
  });
}

/** 0 if the system does not report it. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
