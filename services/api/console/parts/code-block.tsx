import { useState } from 'preact/hooks';
import { codeText } from '../format.js';

/** Configuration or a command to paste. The copy is the text itself; deceiving characters are marked in the picture only. */
export function CodeBlock({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="code-block">
      <figcaption>
        <code>{title}</code>
        <CopyButton text={text} />
      </figcaption>
      <pre tabIndex={0}>
        <code>{codeText(text)}</code>
      </pre>
    </figure>
  );
}

function CopyButton({ text, label = 'copy' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="tool" onClick={() => void copy()}>
      {copied ? 'copied' : label}
    </button>
  );
}
