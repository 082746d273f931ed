import type { Crawl } from '../domain/model.js';
import type { ControlState } from '../domain/state.js';

type Crawls = Pick<ControlState, 'crawls'>;

/** A website's crawls, newest first. */
export function crawlsOf({ crawls }: Crawls, websiteId: string): Crawl[] {
  return [...crawls.by('websiteId', websiteId)].reverse();
}

/** The website's newest crawl with a result (spec §3.8 `latest`); null: none. */
export function latestReadyCrawl(state: Crawls, websiteId: string): Crawl | null {
  return crawlsOf(state, websiteId).find(({ status }) => status === 'ready') ?? null;
}
