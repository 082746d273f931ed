import { type Command, CommanderError } from 'commander';
import { visibleLine } from '../../shared/visible-text.js';
import { CliError, type ExitCode, exitCodes } from './cli-error.js';
import { type Context, isAgent } from './context.js';
import { exitCodeOf } from './http/api-client.js';
import { safeJson } from './output/clean-text.js';
import { createProgram } from './program.js';

/** Runs one command line. @param words without the names of node and of the program. @returns the exit code */
export async function run(words: readonly string[], context: Context): Promise<ExitCode> {
  let complaint = '';
  const program = createProgram(context, (text) => {
    complaint += text;
  });
  if (words.length === 0) {
    program.outputHelp();
    return exitCodes.success;
  }
  try {
    await program.parseAsync(withPlainJson(words), { from: 'user' });
    return exitCodes.success;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.success;
    const failure = toCliError(error, complaint, verbsOf(program, words));
    context.stderr.write(errorsAsJson(words, context.env) ? asJson(failure) : asLines(failure, complaint));
    return failure.exitCode;
  }
}

/** `--json` never takes the next word: its fields follow an equals sign. */
function withPlainJson(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return words.map((word, at) => (word === '--json' && (end === -1 || at < end) ? '--json=' : word));
}

/** Also for errors of the words themselves, which no parser has understood. */
function errorsAsJson(words: readonly string[], env: Context['env']): boolean {
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  if (options.some((word) => word === '--json' || word.startsWith('--json=') || word === '--ndjson'))
    return true;
  return isAgent(env) && !options.some((word) => word === '--table' || word === '--csv');
}

/** The verbs of the group that the words name, such as `; urls has page-importance, get, search`. */
function verbsOf(program: Command, words: readonly string[]): string {
  const [first] = words.filter((word) => !word.startsWith('-'));
  const group = program.commands.find((one) => one.commands.length > 0 && one.name() === first);
  return group === undefined ? '' : `; ${group.name()} has ${group.description()}`;
}

/** @param verbs what is right where a verb is unknown */
function toCliError(error: unknown, complaint: string, verbs: string): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) {
    const [line = ''] = complaint.split('\n').filter((one) => one.startsWith('error:'));
    const message = line.replace(/^error: /, '') || 'a command is missing; --help lists all';
    return new CliError(
      error.code === 'commander.unknownCommand' ? message + verbs : message,
      exitCodes.usage,
    );
  }
  return new CliError(
    error instanceof Error ? error.message : String(error),
    namedCode(error) ?? exitCodes.failure,
  );
}

/** Errors of the import and of the demo. The demo is another file with its own classes, so `instanceof` does not find them. */
function namedCode(error: unknown): ExitCode | null {
  const { exitCode, status } = error as { exitCode?: unknown; status?: unknown };
  if (typeof status === 'number') return exitCodeOf(status);
  return Object.values(exitCodes).find((code) => code === exitCode && code > 0) ?? null;
}

function asJson({ message, exitCode, retryable, fields }: CliError): string {
  return `${safeJson({ ...fields, error: visibleLine(message), exit_code: exitCode, retryable })}\n`;
}

/** A group without a verb prints its help, which commander has written already. */
function asLines(error: CliError, complaint: string): string {
  if (complaint.startsWith('Usage:')) return complaint;
  const suggestion = complaint.split('\n').find((line) => line.startsWith('(Did you mean'));
  return `loglane: ${visibleLine(error.message)}${suggestion === undefined ? '' : ` ${suggestion}`}\n`;
}
