import { useState } from 'preact/hooks';
import type { ReadState } from '../../api/use-read.js';
import { ago, logText, moment, NOT_KNOWN, short } from '../../format.js';
import { ActionForm, ConfirmButton, useAction } from '../../parts/action.js';
import { Card } from '../../parts/card.js';
import { TextField } from '../../parts/fields.js';
import { Figures } from '../../parts/figures.js';
import { Notice } from '../../parts/notice.js';
import { useWebsite } from '../../parts/website.js';
import { type CrawlRun, type Crawls, openCrawl } from './use-crawls.js';

/** The newest finished crawl, the one under way, and the form that starts one. */
export function CurrentCrawl({ crawls }: { readonly crawls: ReadState<Crawls> }) {
  return (
    <Card title="Latest crawl" caption={captionOf(crawls.answer)} read={crawls}>
      {(answer) => {
        const open = openCrawl(answer);
        return (
          <>
            {open === null ? (
              <StartCrawl mostPages={answer.auto_crawl_max_pages} />
            ) : (
              <Progress crawl={open} />
            )}
            {answer.latest === null ? (
              <p class="empty">No crawl is ready yet. Start one to see findings and links.</p>
            ) : (
              <Latest crawl={answer.latest} />
            )}
            <p class="caption">
              {answer.auto_crawl
                ? 'The website is crawled once a week.'
                : 'The website is not crawled by itself.'}{' '}
              {answer.crawler_egress_ip === null
                ? ''
                : `Allow the crawler’s address ${answer.crawler_egress_ip} in your firewall.`}
            </p>
          </>
        );
      }}
    </Card>
  );
}

function captionOf(answer: Crawls | null): string {
  const latest = answer?.latest;
  return latest == null
    ? ''
    : `${latest.source === 'upload' ? 'uploaded' : 'by Loglane'}, ${ago(latest.completed_at)}`;
}

function Latest({ crawl }: { readonly crawl: CrawlRun }) {
  const { audit_summary: findings, delta } = crawl;
  return (
    <Figures
      figures={[
        {
          title: 'Pages',
          value: short(crawl.url_count),
          note: delta === null ? undefined : `${delta.new} new, ${delta.gone} gone`,
        },
        { title: 'Indexable', value: short(crawl.indexable_count) },
        { title: 'Answered 200', value: short(crawl.status_200) },
        { title: 'Not linked', value: short(crawl.unlinked_count) },
        { title: 'Deepest page', value: short(crawl.max_depth), note: 'links from the home page' },
        {
          title: 'Findings',
          value: (
            <span class={findings === null || findings.high === 0 ? '' : 'bad'}>{short(findings?.high)}</span>
          ),
          note:
            findings === null
              ? NOT_KNOWN
              : `severe, ${short(findings.medium)} medium, ${short(findings.low)} low`,
        },
      ]}
    />
  );
}

function Progress({ crawl }: { readonly crawl: CrawlRun }) {
  const { website } = useWebsite();
  const action = useAction(['listCrawls']);
  const { progress } = crawl;
  const cancel = () =>
    void action.send(
      'POST',
      `/websites/${website}/crawls/${encodeURIComponent(crawl.crawl_id)}/cancel`,
      {},
      'The crawl ends within seconds.',
    );
  return (
    <>
      <p class="notice info" role="status">
        <b>{crawl.status === 'processing' ? 'A crawl is under way.' : 'A crawl waits for its turn.'}</b> Since{' '}
        {moment(crawl.started_at ?? crawl.created_at)}.{' '}
        {progress === null ? null : (
          <>
            <progress
              class="crawl-progress"
              aria-label="Pages fetched"
              max={Math.max(Math.min(progress.pages_known, crawl.max_pages), 1)}
              value={progress.pages_fetched}
            />{' '}
            {short(progress.pages_fetched)} of {short(progress.pages_known)} known pages fetched.{' '}
          </>
        )}
        <ConfirmButton text="cancel" label="Cancel the crawl" onConfirm={cancel} isBusy={action.isBusy} />
      </p>
      {crawl.error === null ? null : <p class="notice warning">{logText(crawl.error)}</p>}
      <Notice notice={action.notice} />
    </>
  );
}

function StartCrawl({ mostPages }: { readonly mostPages: number }) {
  const { website } = useWebsite();
  const action = useAction(['listCrawls']);
  const [pages, setPages] = useState(String(mostPages));
  const start = () =>
    void action.send(
      'POST',
      `/websites/${website}/crawls/run`,
      { max_pages: Number(pages) },
      'The crawl is queued. It respects robots.txt.',
    );
  return (
    <ActionForm label="Start a crawl" action={action} onSend={start} submit="Start a crawl">
      <TextField
        label="At most pages"
        name="max_pages"
        type="number"
        min={100}
        max={50_000}
        required
        value={pages}
        onChange={setPages}
      />
    </ActionForm>
  );
}
