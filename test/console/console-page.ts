import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** Questions about a page of the console in a browser. */

/** Waits until no block of the page loads any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('main section, main p, main form', { timeout: 30_000 });
  // A string would need `eval`, which the policy of the page forbids.
  await page.waitForFunction(
    () => (globalThis as any).document.querySelectorAll('[aria-busy="true"]').length === 0,
    null,
    { timeout: 60_000 },
  );
}

/** Rules of WCAG 2.2 A and AA. The script runs by the protocol of the browser, so the policy of the page stays as it is. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const results = await page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return tool.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] });
  });
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

/** Pixels by which the page is wider than the window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
