/** The resource loglane://definitions: words of the answers with their meaning. */
export const definitions = `# Words in Loglane's answers

- **request**: one line of the website's log. Assets such as images count too.
- **people** (human_requests): requests that no rule found to be of a bot. **visit**: a page (HTML) that a person opened from another site.
- **bot**: a program that names itself in its user agent, or that a rule found. Classes: search_bot, ai_bot, other_bot.
- **claim**: the name that a user agent gives. Anybody can write any name.
- **verified**: the claim is proven, by the operator's published addresses, by reverse DNS, or by the CDN.
- **spoofed**: the claim is disproven: the address does not belong to that operator. Spoofed requests are not in the figures of the real bot.
- **pending**: the proof is still being looked up. **unverifiable**: this operator publishes nothing that could prove a claim.
- **unproved**: pending or unverifiable.
- **undeclared agent**: a program with the user agent of a browser.
- **intent** of an AI bot: training (collects for models), search (builds an index for answers), fetcher (reads a page because a person asked).
- **fetch**: a page that an AI search bot or fetcher read. **citation**: such a read for a question of a person. **referral**: a visit that an AI assistant sent.
- **fetches_per_visit**: fetches divided by referrals; null without referrals.
- **unique_paths**, **unique_ips**: exact up to 500, above it estimates with a standard error of 0.81 %. A list of the same paths can have another number of rows.
- **window**: the time of the figures, start included, end excluded, in UTC. A rolling period has exactly its length and ends with the current minute.
- **previous**, **change_pct**, **delta_pct**: the window of equal length before, and the change against it in percent; null where it was zero.
- **partial**: this hour or day is not over, or the window does not cover it whole.
- **coverage**: what the rows are a part of: totals, and data_since, the time of the oldest stored line. A window that begins before it has less data.
- **crawl_basis verified**: only verified requests of search bots count.
- **p50, p95, p99**: so many percent of the requests with a measured time took this many milliseconds or less.
- **status classes**: 2xx served, 3xx redirected or not modified, 4xx refused or not found, 5xx failed. **rejected**: 401, 403, 429 and 451.
- **crawl budget**: how the requests of search bots spread over URLs. **impact_score**: how much an unsteady page matters.
- **incident**: alerts of one kind and subject within six hours. active: it may go on; cleared: it is over.
- **z_score**: distance from the usual value of this hour, in standard deviations.
- **verdict** of a check: pass, warn, fail, unknown (not evaluated; no pass) or not_applicable.
- **data_buffering**: the answer is still being computed; ask again. Empty figures in it are not zero.
- **segment**: a saved group of pages.
`;
