import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The jars of a Kafka broker from Maven Central, fetched once for each version of `kafka-jars/pom.xml`. */

const run = promisify(execFile);
const pom = fileURLToPath(new URL('./kafka-jars/pom.xml', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/loglane-kafka', import.meta.url));
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';

/** A class path for `java`; null if there is no Java 17, or Maven cannot fetch the jars. */
export async function kafkaClassPath(): Promise<string | null> {
  if (!(await hasJava17())) return null;
  const version = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const folder = join(cache, version);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    const incoming = mkdtempSync(join(cache, 'incoming-'));
    try {
      const wanted = [`-DoutputDirectory=${incoming}`, '-DincludeScope=runtime'];
      await run('mvn', ['-q', '-B', '-f', pom, COPY, ...wanted], { timeout: 600_000 });
      // Atomic, also if two test files fetch at once.
      renameSync(incoming, folder);
    } catch {
      rmSync(incoming, { recursive: true, force: true });
      if (!existsSync(folder)) return null;
    }
  }
  return join(folder, '*');
}

async function hasJava17(): Promise<boolean> {
  try {
    const { stderr, stdout } = await run('java', ['-version']);
    return Number(/version "(\d+)/.exec(stderr + stdout)?.[1]) >= 17;
  } catch {
    return false;
  }
}
