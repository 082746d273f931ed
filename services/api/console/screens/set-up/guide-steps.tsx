import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { withAddress } from '../../../guides/with-address.js';
import { CodeBlock } from '../../parts/code-block.js';
import { loadGuide } from './guides.js';

/** The part of a guide that says what to set; how fields are read follows in the whole guide. */
export function GuideSteps({ name, ingestUrl }: { readonly name: string; readonly ingestUrl: string }) {
  const [tokens, setTokens] = useState<readonly Token[] | null>(null);
  useEffect(() => {
    let isGone = false;
    void Promise.all([loadGuide(name), import('marked')]).then(([text, { lexer }]) => {
      if (!isGone) setTokens(stepsOf(lexer(withAddress(text, new URL(ingestUrl)))));
    });
    return () => {
      isGone = true;
    };
  }, [name, ingestUrl]);
  if (tokens === null) return <p role="status">Loading the guide …</p>;
  return (
    <div class="guide">
      <p class="caption">
        Put your ingest key where the configuration says <code>INGEST_KEY</code>.
      </p>
      {tokens.map((token, place) => (
        <Block key={place} token={token} />
      ))}
    </div>
  );
}

/** Without the title, and up to the section about how fields are read. */
function stepsOf(tokens: readonly Token[]): Token[] {
  const end = tokens.findIndex(
    (token) =>
      token.type === 'heading' && /^(?:How |Sent twice|Pitfalls)/.test((token as Tokens.Heading).text),
  );
  return tokens
    .slice(0, end === -1 ? undefined : end)
    .filter((token) => token.type !== 'space' && !(token.type === 'heading' && token.depth === 1));
}

function Block({ token }: { readonly token: Token }): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return (
        <h3>
          <Inline tokens={token.tokens} />
        </h3>
      );
    case 'code':
      return <CodeBlock title={token.lang || 'configuration'} text={token.text} />;
    case 'list':
      return (
        <ul class="guide-list">
          {(token as Tokens.List).items.map((item, place) => (
            <li key={place}>
              {item.tokens.map((each, index) => (
                <Block key={index} token={each} />
              ))}
            </li>
          ))}
        </ul>
      );
    case 'table':
      return <GuideTable table={token as Tokens.Table} />;
    case 'text':
      return <Inline tokens={token.tokens} />;
    default:
      return (
        <p>
          <Inline tokens={'tokens' in token ? token.tokens : undefined} />
        </p>
      );
  }
}

function GuideTable({ table }: { readonly table: Tokens.Table }) {
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, place) => (
              <th key={place} scope="col">
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, index) => (
                <td key={index}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Links of guides lead to files of the repository: their text is shown alone. */
function Inline({ tokens = [] }: { readonly tokens?: readonly Token[] | undefined }) {
  return (
    <>
      {tokens.map((token, place) => {
        if (token.type === 'codespan') return <code key={place}>{token.text}</code>;
        const inner = 'tokens' in token && token.tokens ? <Inline tokens={token.tokens} /> : null;
        if (token.type === 'strong') return <b key={place}>{inner}</b>;
        if (token.type === 'em') return <em key={place}>{inner}</em>;
        return <span key={place}>{inner ?? ('text' in token ? token.text : token.raw)}</span>;
      })}
    </>
  );
}
