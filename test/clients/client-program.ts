import { type ChildProcessWithoutNullStreams, execFile, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Described } from '../contract/described.js';
import { type Instance, withoutTimeFormats } from './instance.js';

/** A program in another language that calls operations with a generated client. It reads a call and writes an answer, one on each line. */
export interface ClientProgram {
  /** Fails unless the client succeeds and its typed answer has every field of the JSON. */
  check(one: Described): Promise<void>;
  stop(): void;
}

interface ProgramAnswer {
  readonly status: number;
  /** As the API sent it. */
  readonly raw: string;
  /** JSON of the typed answer. */
  readonly typed: unknown;
  /** Message of the client, if it failed. */
  readonly error?: string;
}

const MAX_OUTPUT_BYTES = 16 * 1024 ** 2;

/** @returns standard output. @throws Error with the command's output. */
export async function run(
  command: string,
  words: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const options = { cwd, maxBuffer: MAX_OUTPUT_BYTES, env: { ...process.env, ...env } };
  return (await promisify(execFile)(command, words, options)).stdout;
}

/**
 * @returns whether the program starts; if not, its suite is skipped
 * @throws instead if CI is set
 */
export function isInstalled(command: string, words: readonly string[]): boolean {
  if (spawnSync(command, words).status === 0) return true;
  const reason = `no ${command} for tests: ${[command, ...words].join(' ')} fails`;
  if (process.env.CI) throw new Error(reason);
  console.warn(`${reason}; tests that need it are skipped`);
  return false;
}

/** Runs lines of a shell; the first that fails is the last. */
export const runLines = (lines: string, cwd: string, env: Record<string, string> = {}) =>
  run('bash', ['-eu', '-c', lines], cwd, env);

export function startClientProgram(
  instance: Instance,
  command: string,
  words: readonly string[],
  cwd: string,
): ClientProgram {
  const child = spawn(command, [...words, instance.url], { cwd });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const complaints = complaintsOf(child);
  return {
    async check(one) {
      child.stdin.write(`${JSON.stringify(await instance.callOf(one))}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the program ended: ${complaints()}`);
      const answer: ProgramAnswer = JSON.parse(value);
      expect(answer.error).toBeUndefined();
      expect(one.operation.replies.map(({ status }) => status)).toContain(answer.status);
      expect(withoutTimeFormats(answer.typed)).toEqual(withoutTimeFormats(JSON.parse(answer.raw)));
    },
    stop: () => child.kill(),
  };
}

function complaintsOf(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  child.stderr.on('data', (chunk) => {
    text = `${text}${chunk}`.slice(-4_000);
  });
  child.stdin.on('error', () => {});
  child.on('error', (error) => {
    text += error.message;
  });
  return () => text;
}
