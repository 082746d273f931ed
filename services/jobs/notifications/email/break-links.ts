/**
 * Mail programs link every name that looks like a host, even without `https://`. A user agent or path from an attacker must not become a link in an
 * e-mail. Linear in the length of the text: each expression matches one class of characters.
 */

/** Characters of host names and their lookalikes. The last four are dots too (UTS #46). */
const RUN = /[\p{L}\p{N}\p{M}_.。．｡-]+/gu;
const DOT = /[.。．｡]/g;

/** The colon of a URL scheme, a mail address or a telephone number. */
const SCHEME = /:(?=\/\/)|(?:mailto|tel|sms):/gi;

/** File extensions that are no top-level domains: `/app.css` stays readable. */
const FILE_ENDS = new Set(
  'asp aspx avif bak bin cfm cgi conf config css csv doc docx env exe gif gz htm html ico ini jpeg jpg js json jsp key log map mjs mp3 mp4 pdf pem php png rar rss sql svg tar tgz ts txt webp woff woff2 xhtml xls xlsx xml yaml yml'.split(
    ' ',
  ),
);

/**
 * `https[:]//evil[.]example`. Numbers (`0.4`, IPv4 addresses), file names and the website's own names do not change.
 * @param own the website's domain
 */
export function breakLinks(text: string, own = ''): string {
  return text
    .replace(RUN, (run) =>
      looksLikeHost(run) && !isOwn(run, own) ? run.replace(DOT, (dot) => `[${dot}]`) : run,
    )
    .replace(SCHEME, (sign) => `${sign.slice(0, -1)}[${sign.at(-1)}]`);
}

/** A label after the first begins with two letters, as top-level domains do, and the last label is no file extension. */
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
