import { useAddress } from '../../address.js';
import { logText, words } from '../../format.js';

/** Every field of a request that is not empty, and what to look at next. */
export function RequestFields({
  request,
}: {
  readonly request: { readonly client_ip: string; readonly path: string; readonly bot_name: string };
}) {
  const { address, link } = useAddress();
  const { client_ip, path, bot_name } = request;
  const fields = Object.entries(request).filter(([, value]) => value !== '' && value !== null);
  return (
    <>
      <p class="link-line">
        {client_ip === '' ? null : (
          <>
            <a href={link({ screen: 'security', rest: { tab: 'addresses', ip: client_ip } })}>
              who is {logText(client_ip)}?
            </a>
            <a href={link({ rest: {}, requestFilters: { client_ip } })}>its requests</a>
          </>
        )}
        <a href={link({ screen: 'pages', rest: { path } })}>this page</a>
        {bot_name === '' ? null : (
          <a href={link({ rest: {}, filters: { ...address.filters, bot: bot_name } })}>
            requests of this bot
          </a>
        )}
      </p>
      <dl class="facts">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>{typeof value === 'boolean' ? (value ? 'yes' : 'no') : logText(String(value))}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
