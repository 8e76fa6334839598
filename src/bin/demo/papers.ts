// The documents in the demo's folders, as they are when it begins. Some of them change while one watches (live.ts).

import type { Label } from './cast.ts'

export const CUTOVER = (
  rehearsed: string,
  slowest: string,
  note: string,
) => `# Moving invoices to the new ledger

Rehearsed ${rehearsed} on a copy of Tuesday's data. The slowest of the runs took **${slowest}**; the window we asked for is
twenty minutes.

| Step | Does | Allowed | Took |
|---|---|---:|---:|
| Quiet | Stop the invoice writer, wait for the queue to empty | 2:00 | 0:44 |
| Copy | Rows written since the nightly copy | 8:00 | 5:02 |
| Compare | Every total, and 500 invoices line by line | 6:00 | 1:57 |
| Switch | Point readers, then the writer, at the new tables | 1:00 | 0:09 |

## Run it

\`\`\`sh
# from the root of the repository
./ops/cutover --rehearse --from staging
./ops/cutover --until compare && ./ops/report > reports/totals.csv
\`\`\`

## Before the real one

- [x] Read-only banner in the shop's back office
- [x] Way back: the old tables stay writable for 48 hours
- [ ] Ann agrees to the window
- [ ] Support knows what "being moved" means on an invoice

> ${note}
`

const TOTALS = `month,invoices,total_old,total_new,difference
2026-06,4118,391204.10,391204.10,0.00
2026-07,4302,402877.35,402877.35,0.00
2026-08,3977,379460.80,379460.80,0.00
2026-09,4561,431090.05,431090.05,0.00
2026-10,4719,447312.60,447312.60,0.00
2026-11,1804,169955.25,169955.25,0.00
`

const ROUNDING = `/** Splits an amount in cents over its lines so that no cent is lost or made. */
export function spread(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, one) => all + one, 0)
  if (sum === 0) throw new RangeError('there is nothing to spread over')
  const parts = weights.map((weight) => Math.floor((total * weight) / sum))
  let left = total - parts.reduce((all, one) => all + one, 0)
  // The largest lines take the cents that remain, one each, because there nobody notices.
  const order = weights.map((_, at) => at).sort((a, b) => weights[b]! - weights[a]!)
  for (const at of order) {
    if (left === 0) break
    parts[at]! += 1
    left -= 1
  }
  return parts
}
`

export const RECALL = (best: string) => `# Search in five languages

Accents, compound words and typing errors: the new index finds what people meant more often, and answers sooner.

| Language | Found before | Found now | Answer, p95 |
|---|---:|---:|---:|
| English | 0.94 | 0.96 | 38 ms |
| German | 0.81 | 0.93 | 44 ms |
| French | 0.88 | 0.94 | 41 ms |
| Portuguese | 0.79 | ${best} | 43 ms |
| Finnish | 0.66 | 0.87 | 57 ms |

The index is 2.1 times smaller, because a word is kept once and not once for each ending.

## What still goes wrong

1. **Brand names in German** are taken apart: *Sonnenhut* finds sun hats and the brand of the same name.
2. **Part numbers** with a slash count as two words. A fix is ready and waits for the next rebuild.

The old index stays for a week. Going back is one setting: \`search.index = "v6"\`.
`

const RECALL_CSV = `language,queries,found_before,found_now,p95_ms
en,2400,0.94,0.96,38
de,1800,0.81,0.93,44
fr,1200,0.88,0.94,41
pt,900,0.79,0.91,43
fi,600,0.66,0.87,57
`

export const NOTES = (draft: string, lead: string) => `# Release 4.2 · ${draft} draft

${lead}

## For shop owners

**Invoices arrive at once.** The copy for your accountant used to follow at night. It is now there when the customer has paid.

**Search understands endings.** *Shoe* finds *shoes*, in five languages.

**Addresses are checked while they are typed**, so fewer parcels come back. Nothing is sent to anybody for it.

## For developers

- \`GET /orders\` takes \`updated_after\`, and pages are now steady while orders come in.
- Webhooks carry an id that stays the same when we try again. Please compare it, and not the time.
- \`amount\` is an integer in cents everywhere. The text form goes away in 5.0.

## Known faults

| Fault | Way around |
|---|---|
| Labels for parcels to Åland have the wrong zone | Choose the zone by hand |
| The back office forgets a filter after signing in again | Save the filter as a view |
`

const FLAKY = `# Why the address test fails at night

It failed 9 times in 400 runs, always between 23:58 and 00:03.

The form writes the delivery day **before** it waits for the address check, and the test reads it **after**. Around midnight
these are two days. The fault is not in the test alone: a customer who orders at that moment sees yesterday.

\`\`\`ts
const day = today()            // 12 November
await checkAddress(address)    // midnight
expect(summary.day).toBe(today()) // 13 November
\`\`\`

**Proposed:** one clock for an order, read once. The patch waits for your review.
`

const CLOCK = `/** One moment for a whole order: whatever takes long in between, the day stays the day. */
export class OrderClock {
  readonly #at: Date

  constructor(now: () => Date = () => new Date()) {
    this.#at = now()
  }

  day(zone: string): string {
    return this.#at.toLocaleDateString('en-CA', { timeZone: zone })
  }
}
`

const PREVIEW = `<!doctype html>
<meta charset="utf-8">
<title>Release 4.2</title>
<style>body{font:16px/1.5 system-ui;max-width:36rem;margin:3rem auto;color:#1d1d1f}h1{font-size:1.6rem}</style>
<h1>Release 4.2</h1>
<p>Invoices arrive at once, search understands endings, and addresses are checked while they are typed.</p>
`

const REFUNDS = `# Refunds

We give money back within **30 days**, whatever the reason, and within 14 months where the thing was faulty.

1. Ask for the order's number. Without one, the e-mail address is enough.
2. Faulty? Ask for a picture, and refund at once below 50 euros.
3. Above 500 euros a person decides. Say so, and say by when.

Never promise a day on which the money arrives. Banks take two to five.
`

export const PAPERS: Record<Label, Record<string, string>> = {
  billing: {
    'runbooks/cutover.md': CUTOVER('twice', '7 min 52 s', 'Nothing was lost in either run.'),
    'reports/totals.csv': TOTALS,
    'src/rounding.ts': ROUNDING,
  },
  search: { 'reports/languages.md': RECALL('0.90'), 'reports/recall.csv': RECALL_CSV },
  'docs-site': {
    'notes/4.2.md': NOTES('second', 'A quiet release: three things that people asked for.'),
    'preview/4.2.html': PREVIEW,
    'support/refunds.md': REFUNDS,
  },
  'checkout-web': { 'reports/midnight.md': FLAKY, 'src/order-clock.ts': CLOCK },
}
