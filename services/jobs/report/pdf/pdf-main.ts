import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { PdfAsked, PdfMade } from './pdf-messages.js';

/** A process that writes one PDF and ends. The compiler is native code, which only the end of its process can interrupt. */

process.once('message', ({ report, madeAt }: PdfAsked) => {
  const made = attempt(report, madeAt);
  process.send?.(made, () => process.exit(0));
});

function attempt(report: string, madeAt: number): PdfMade {
  try {
    return { pdf: write(report, madeAt) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function write(report: string, creationTimestamp: number): Uint8Array {
  const template = readFileSync(fileURLToPath(new URL('./template.typ', import.meta.url)), 'utf8');
  // The compiler may read files of its folder alone, and the template reads none.
  const compiler = NodeCompiler.create({ workspace: fileURLToPath(new URL('.', import.meta.url)) });
  const compiled = compiler.compile({ mainFileContent: template, inputs: { report } });
  const { result } = compiled;
  if (result === null)
    throw new Error(JSON.stringify(compiled.takeError()?.shortDiagnostics ?? 'no document'));
  return compiler.pdf(result, { creationTimestamp });
}
