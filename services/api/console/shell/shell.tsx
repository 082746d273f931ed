import type { ComponentChildren } from 'preact';
import { type Address, periods, useAddress } from '../address.js';
import { useRead } from '../api/use-read.js';
import { ago, day } from '../format.js';
import { useWebsite } from '../parts/website.js';
import { screens } from '../screens/all-screens.js';
import { Chips } from './chips.js';
import { useShortcuts } from './shortcuts.js';

/** The frame of every screen: navigation, the scope of the figures, the state of the data. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const navigation = useAddress();
  const { address, link } = navigation;
  const help = useShortcuts(navigation);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the figures
      </a>
      <nav class="side" aria-label="Screens">
        <a class="brand" href={link({ screen: '' })}>
          Loglane
        </a>
        <ul>
          {screens.map(({ path, title, key }) => (
            <li key={path}>
              <a
                href={link({ screen: path })}
                aria-current={isIn(address, path) ? 'page' : undefined}
                title={`g ${key}`}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
        <button type="button" class="tool" onClick={() => help.current?.showModal()}>
          ? keys
        </button>
      </nav>
      <div class="content">
        <ScopeBar />
        <StateStrip />
        <Chips />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <KeysDialog dialog={help} />
    </div>
  );
}

function isIn({ screen }: Address, path: string): boolean {
  return path === '' ? screen === '' : screen === path || screen.startsWith(`${path}/`);
}

function ScopeBar() {
  const { address, go } = useAddress();
  const { website, websites } = useWebsite();
  const segments = useRead('listSegments', website, {}, { when: website !== null });
  return (
    <header class="scope">
      <label class="site">
        <span class="visually-hidden">Website</span>
        <select value={website ?? ''} onChange={(event) => go({ website: event.currentTarget.value })}>
          {websites.map(({ id, domain }) => (
            <option key={id} value={id}>
              {domain}
            </option>
          ))}
        </select>
      </label>
      <div class="choices" role="group" aria-label="Window">
        {(Object.keys(periods) as (keyof typeof periods)[]).map((period) => (
          <button
            key={period}
            type="button"
            aria-pressed={address.period === period}
            onClick={() => go({ period })}
          >
            {period.replace(/(\d+)/, '$1 ')}
          </button>
        ))}
        {address.period in periods ? null : (
          <button type="button" aria-pressed="true" onClick={() => go({ period: '7d' })}>
            {address.period.split('/').map(day).join(' – ')} ×
          </button>
        )}
      </div>
      <select
        aria-label="Comparison"
        value={address.compare}
        onChange={(event) => go({ compare: event.currentTarget.value as Address['compare'] })}
      >
        <option value="previous">vs previous</option>
        <option value="week">vs last week</option>
        <option value="none">no comparison</option>
      </select>
      <select
        aria-label="Segment"
        value={address.segment ?? ''}
        onChange={(event) => go({ segment: event.currentTarget.value || null })}
      >
        <option value="">all segments</option>
        {segments.answer?.segments.map(({ segment_id, name }) => (
          <option key={segment_id} value={segment_id}>
            {name}
          </option>
        ))}
      </select>
      <label class="toggle">
        <input
          type="checkbox"
          checked={address.verified}
          onChange={() => go({ verified: !address.verified })}
        />
        verified only
      </label>
    </header>
  );
}

/** How fresh and complete the figures are, and what is open. */
function StateStrip() {
  const { link } = useAddress();
  const { website } = useWebsite();
  const health = useRead('getHealth', website, {}, { when: website !== null, every: 10_000 });
  const setup = useRead('getSetup', website, {}, { when: website !== null, every: 30_000 });
  const traffic = useRead('getSummary', website, { hours: 24 }, { when: website !== null, every: 60_000 });
  const open = health.answer?.active_alerts.length ?? 0;
  const lists = setup.answer?.verification.oldest_list_days ?? null;
  return (
    <p class="strip" role="status">
      {health.answer === null ? null : (
        <span class={health.answer.data_flowing ? 'good' : 'bad'}>
          <i aria-hidden="true" />
          last line <b>{ago(health.answer.last_received_at)}</b>
        </span>
      )}
      {traffic.answer?.data_since ? <span>complete since {day(traffic.answer.data_since)}</span> : null}
      {health.answer === null ? null : open === 0 ? (
        <span>no open incident</span>
      ) : (
        <a class="bad" href={link({ screen: 'incidents' })}>
          <i aria-hidden="true" />
          <b>{open}</b> open {open === 1 ? 'incident' : 'incidents'}
        </a>
      )}
      {lists === null ? null : <span>crawler lists {lists} days old</span>}
    </p>
  );
}

function KeysDialog({ dialog }: { readonly dialog: { current: HTMLDialogElement | null } }) {
  return (
    <dialog ref={dialog} class="keys" aria-label="Keyboard">
      <h2>Keyboard</h2>
      <dl>
        <dt>/</dt>
        <dd>find a page</dd>
        <dt>d w m</dt>
        <dd>window of 24 hours, 7 days, 30 days</dd>
        <dt>c</dt>
        <dd>change the comparison</dd>
        <dt>v</dt>
        <dd>verified crawlers only</dd>
        <dt>f</dt>
        <dd>go to the filters</dd>
        {screens.map(({ key, title }) => [<dt key={key}>g {key}</dt>, <dd key={title}>{title}</dd>])}
        <dt>?</dt>
        <dd>this list</dd>
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
