import fc from 'fast-check';
import { isNightly } from './runs.js';

/** Runs before each file of tests. Files share a process, so the order of files must not change what a test sees. */

/** Each `npm test` tries the same samples of a property, so that no change fails by chance. The nightly run tries new ones. */
const SEED = 1;

if (!isNightly) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

/**
 * An HTTP server of Hono replaces these globals with its own classes, and `instanceof` of these classes is false for the
 * answers of `fetch`. Clients in later files test their answers in that way.
 */
const NATIVE = Symbol.for('loglane native Request and Response');
const shared = globalThis as typeof globalThis & { [NATIVE]?: { Request: unknown; Response: unknown } };
shared[NATIVE] ??= { Request: globalThis.Request, Response: globalThis.Response };
for (const [name, value] of Object.entries(shared[NATIVE])) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
