/**
 * Mail programs make a link of each name that looks like a website's, also where nobody wrote `https://`. What an attacker sends as a user agent or path must
 * not be a click away from whoever reads of it. Linear in the text: expressions of one class of characters, and a loop.
 */

/** What a host name, and whatever looks like one, is written in; the last four are dots, too (UTS #46). */
const RUN = /[\p{L}\p{N}\p{M}_.。．｡-]+/gu;
const DOT = /[.。．｡]/g;

/** Of a scheme, of an address of e-mail, of a telephone. */
const SCHEME = /:(?=\/\/)|(?:mailto|tel|sms):/gi;

/** Ends of files that are no top-level domains: `/app.css` stays readable. */
const FILE_ENDS = new Set(
  'asp aspx avif bak bin cfm cgi conf config css csv doc docx env exe gif gz htm html ico ini jpeg jpg js json jsp key log map mjs mp3 mp4 pdf pem php png rar rss sql svg tar tgz ts txt webp woff woff2 xhtml xls xlsx xml yaml yml'.split(
    ' ',
  ),
);

/**
 * `https[:]//evil[.]example`; of numbers (`0.4`, addresses of IPv4), names of files and the website's own names nothing is changed.
 * @param own the website's domain
 */
export function breakLinks(text: string, own = ''): string {
  return text
    .replace(RUN, (run) =>
      looksLikeHost(run) && !isOwn(run, own) ? run.replace(DOT, (dot) => `[${dot}]`) : run,
    )
    .replace(SCHEME, (sign) => `${sign.slice(0, -1)}[${sign.at(-1)}]`);
}

/** Some label but the first begins with two letters, as top-level domains do, and the last one is no file's. */
function looksLikeHost(run: string): boolean {
  const labels = run.split(DOT).filter((label) => label !== '');
  if (FILE_ENDS.has(labels.at(-1)?.toLowerCase() ?? '')) return false;
  return labels.slice(1).some((label) => /^\p{L}[\p{L}\p{N}\p{M}-]/u.test(label));
}

function isOwn(run: string, own: string): boolean {
  const name = run.toLowerCase();
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  return own !== '' && (bare === own.toLowerCase() || bare.endsWith(`.${own.toLowerCase()}`));
}
