// The requests of the demo: one of every type whose payload is known, one of a type that is not, each with its words.

import type { CallInput } from '../../ops/typed-call.ts'

type RequestWords = Omit<CallInput<'request create'>, 'agent' | 'payload'> & { payload: object }

/** The input of `request create`, whose payload goes in as text. */
export function asking({ payload, ...rest }: RequestWords) {
  return { ...rest, payload: JSON.stringify(payload) }
}

export const DROP_PREVIEWS: RequestWords = {
  type: 'tool_invocation',
  title: 'Delete 63 preview databases',
  description:
    'All belong to branches that were merged more than 30 days ago. The two that somebody opened since are left out.',
  consequence: '63 databases are dropped. They cannot be brought back; their branches can.',
  risk: 'high',
  expires_seconds: 2400,
  on_expiry: 'reject',
  payload: {
    tool: 'Bash',
    arguments: {
      command: './ops/previews drop --merged-before 2026-10-13 --except pr-1188,pr-1201',
      cwd: 'billing',
      timeout_seconds: 300,
    },
    description: 'Drops the databases of merged preview branches.',
    risk: {
      level: 'high',
      score: 0.82,
      reasons: ['It deletes data', 'There is no copy of it'],
      touches: ['63 databases on preview-2', 'the list of previews'],
    },
  },
}

export const RETRIES = (limit: number, wait: number): RequestWords => ({
  type: 'config_change',
  title: 'Try declined cards more often',
  description: `Four in ten cards that are declined for "insufficient funds" go through within three days. We give up after one.

Worth about **2,100 euros** a month by October's numbers.`,
  consequence: `Declined cards are tried up to ${limit} times, ${wait} hours apart, from the next run on.`,
  risk: 'medium',
  entity_type: 'setting',
  entity_id: 'billing.retries',
  payload: {
    target: 'billing.retries',
    current: { limit: 1, wait_hours: 24, notify_customer: true, reasons: ['insufficient_funds'] },
    proposed: {
      limit,
      wait_hours: wait,
      notify_customer: true,
      reasons: ['insufficient_funds', 'try_again_later'],
    },
  },
})

export const REFUND_FILES: RequestWords = {
  type: 'knowledge_upload',
  title: 'Add the refund rules to what support knows',
  description:
    'I answered two customers by the old rules this week. The new page replaces the old.',
  consequence: 'Support agents answer by these pages from now on.',
  risk: 'low',
  payload: {
    destination: 'support/answers',
    files: [
      { name: 'refunds.md', media_type: 'text/markdown', size: 486, path: 'support/refunds.md' },
      {
        name: 'tone.md',
        media_type: 'text/markdown',
        size: 148,
        text: '# Tone\n\nPlain words. Say what happens next, and by when. Apologise once, and only for what we did.\n\nNo exclamation marks.\n',
        replaces: 'tone-2024.md',
      },
    ],
  },
}

export const FALLBACK: RequestWords = {
  type: 'question',
  title: 'Which language should search fall back to in Belgium?',
  description:
    'Shops there have no language of their own yet. Of 1,900 searches last week 61 % were Dutch and 34 % French.',
  expires_seconds: 10_800,
  on_expiry: 'keep',
  payload: {
    text: 'When a shop in Belgium has not chosen a language, which one should search use?\n\nI would take Dutch, and show a switch above the results.',
    options: ['Dutch', 'French', 'Both, mixed by score', 'Ask each shop first'],
  },
}

export const STATUS_ENTRY: RequestWords = {
  type: 'question',
  title: 'What shall the status page say about the move?',
  payload: {
    text: 'The move of the invoices needs an entry on the status page. I fill in the rest.',
    schema: {
      type: 'object',
      properties: {
        headline: { type: 'string', title: 'Headline', maxLength: 80 },
        day: { type: 'string', title: 'Day', format: 'date' },
        minutes: { type: 'integer', title: 'Minutes', minimum: 5, maximum: 60 },
        mail_customers: { type: 'boolean', title: 'Also write to customers' },
      },
      required: ['headline', 'day', 'minutes'],
    },
  },
}

export const HOSTING: RequestWords = {
  type: 'vendor_payment',
  title: 'Pay the hosting invoice for November',
  description:
    'It is 38 euros higher than in October: the copy for the rehearsals ran for nine days.',
  consequence: 'The bank sends 412.60 euros to Lattice Hosting tomorrow morning.',
  risk: 'medium',
  expires_seconds: 93_600,
  payload: {
    vendor: 'Lattice Hosting',
    invoice: 'LH-2026-1107',
    amount: { value: 412.6, currency: 'EUR' },
    due: '2026-11-20',
    lines: [
      { what: 'Servers', value: 298 },
      { what: 'Traffic', value: 76.6 },
      { what: 'Copy for rehearsals', value: 38 },
    ],
  },
}

const small = (target: string, key: string, before: unknown, after: unknown) => ({
  type: 'config_change',
  risk: 'low' as const,
  payload: { target, current: { [key]: before }, proposed: { [key]: after } },
})

export const LOG_LEVEL: RequestWords = {
  ...small('checkout.log', 'level', 'debug', 'info'),
  title: 'Log less in checkout',
  consequence: 'Checkout keeps messages of level info and above.',
}

export const CACHE_HOURS: RequestWords = {
  ...small('docs.cache', 'hours', 1, 12),
  title: 'Keep pages of the docs for twelve hours',
  consequence: 'A change of the docs is seen after twelve hours at the latest.',
}

export const FORCE_PUSH: RequestWords = {
  type: 'tool_invocation',
  title: 'Rewrite the history of release/4.1',
  description: 'A key for the test bank is in commit 3f9c21e. It was revoked in March.',
  risk: 'high',
  payload: {
    tool: 'Bash',
    arguments: { command: 'git push --force-with-lease origin release/4.1' },
    risk: {
      level: 'high',
      reasons: ['Others have the branch', 'The key is useless already'],
      touches: ['release/4.1'],
    },
  },
}

export const REVIEW = {
  review: 'order-clock',
  title: 'One clock for a whole order',
  body: 'The day of delivery is read once, when the order begins. Then midnight changes nothing.\n\nThe test now moves the clock by hand and covers both sides of midnight. 400 of 400 runs pass.',
  target_path: 'src',
  changes: JSON.stringify([
    {
      kind: 'added',
      path: 'src/order-clock.ts',
      summary: 'A clock that is read once',
      patch: `@@ -0,0 +1,11 @@
+export class OrderClock {
+  readonly #at: Date
+
+  constructor(now: () => Date = () => new Date()) {
+    this.#at = now()
+  }
+
+  day(zone: string): string {
+    return this.#at.toLocaleDateString('en-CA', { timeZone: zone })
+  }
+}
`,
    },
    {
      kind: 'modified',
      path: 'src/summary.ts',
      summary: 'The summary takes the day from the order',
      patch: `@@ -14,7 +14,7 @@ export async function summaryOf(order: Order) {
   const address = await checkAddress(order.address)
-  const day = today(order.zone)
+  const day = order.clock.day(order.zone)
   return { address, day, lines: order.lines.map(lineOf) }
 }
`,
    },
    { kind: 'deleted', path: 'test/retry-at-midnight.ts', summary: 'Not needed any more' },
  ]),
}
