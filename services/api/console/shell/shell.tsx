import '../style/shell.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Address, useAddress } from '../address.js';
import { useRead } from '../api/use-read.js';
import { useWebsite } from '../parts/website.js';
import { screens } from '../screens/all-screens.js';
import { Chips } from './chips.js';
import { CopyLink } from './copy-link.js';
import { PeriodPicker } from './period-picker.js';
import { useShortcuts } from './shortcuts.js';
import { StateStrip } from './state-strip.js';
import { useFirstWindow } from './use-first-window.js';
import { useRefresh } from './use-refresh.js';

/** The frame of every screen: navigation, the scope of the figures, the state of the data. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const navigation = useAddress();
  const { address, link } = navigation;
  const help = useShortcuts(navigation);
  useRefresh(address);
  useFirstWindow();
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [address.screen]);
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
                ref={isIn(address, path) ? current : null}
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
  const compares = screens.find(({ path }) => isIn(address, path))?.compares ?? false;
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
      <PeriodPicker />
      <select
        aria-label="Comparison"
        value={address.compare}
        disabled={!compares}
        title={compares ? undefined : 'No figure of this screen is compared with another window.'}
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
      {address.verified ? null : (
        <button
          type="button"
          class="toggle"
          title="Leaves out bots that are not verified. People stay."
          onClick={() => go({ verified: true })}
        >
          bots: verified only
        </button>
      )}
      <CopyLink />
    </header>
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
        <dd>of the bots, only verified ones</dd>
        <dt>f</dt>
        <dd>go to the main filter of the screen</dd>
        <dt>Alt + click</dt>
        <dd>on a path: a segment without it</dd>
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
