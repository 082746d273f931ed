import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { failure } from '../cli-error.js';
import type { Context } from '../context.js';

/** Stored by `loglane login`. */
export interface StoredSettings {
  readonly url?: string;
  readonly key?: string;
  readonly website?: string;
}

/** `~/.config/loglane/config.json`, or below XDG_CONFIG_HOME. */
export function settingsPath(env: Context['env']): string {
  const home = env.HOME || homedir();
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'loglane', 'config.json');
}

/** Folder of remembered positions, below XDG_STATE_HOME. */
export function statePath(env: Context['env'], name: string): string {
  const home = env.HOME || homedir();
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'loglane', name);
}

/** @throws CliError if the file is damaged. */
export async function readSettings(path: string): Promise<StoredSettings> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw failure(`${path} can't be read: ${(error as Error).message}`);
  }
  const stored = parseObject(text);
  if (stored === null) throw failure(`${path} is no JSON object; delete it and run \`loglane login\``);
  const texts = (['url', 'key', 'website'] as const).flatMap((name) =>
    typeof stored[name] === 'string' ? [[name, stored[name]] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** Replaces the file as a whole. Only its owner can read it. */
export async function writeSettings(path: string, settings: StoredSettings): Promise<void> {
  await writePrivately(path, `${JSON.stringify(settings, null, 2)}\n`);
}

/** Replaces a file as a whole, readable by its owner only. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}`;
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}

export async function deleteSettings(path: string): Promise<void> {
  await rm(path, { force: true });
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
