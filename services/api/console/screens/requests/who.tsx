import { logText } from '../../format.js';

interface Sender {
  readonly is_bot: boolean;
  readonly bot_name: string;
  readonly bot_verification_status: string | null;
  readonly browser?: string;
  readonly os?: string;
}

/** Text and tone of each verdict on a claim. */
const verdicts: ReadonlyMap<string, { readonly text: string; readonly tone: string }> = new Map([
  ['verified', { text: 'verified', tone: 'good' }],
  ['spoofed', { text: 'forged', tone: 'bad' }],
  ['unverifiable', { text: 'unprovable', tone: 'undecided' }],
  ['pending', { text: 'waits for DNS', tone: 'undecided' }],
]);

/** The sender of a request: the claimed bot with the verdict on its claim, or a person. */
export function Who({ request }: { readonly request: Sender }) {
  const { is_bot, bot_name, browser = '', os = '' } = request;
  if (!is_bot) {
    const with_ = [browser, os].filter((text) => text !== '').map(logText);
    return (
      <>
        person <small>{with_.join(', ')}</small>
      </>
    );
  }
  if (bot_name === '') return <>undeclared agent</>;
  return (
    <>
      {logText(bot_name)} <Verdict status={request.bot_verification_status} />
    </>
  );
}

export function Verdict({ status }: { readonly status: string | null }) {
  if (status === null) return null;
  const { text, tone } = verdicts.get(status) ?? { text: logText(status), tone: 'undecided' };
  return <span class={`verdict ${tone}`}>{text}</span>;
}
