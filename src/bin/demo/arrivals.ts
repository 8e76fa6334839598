// The things that arrive while one watches the demo, in their order, each so many seconds after the one before.

import { asking } from './asked.ts'
import type { Cast } from './cast.ts'

type Scene = { after: number; does: () => Promise<unknown> }

export function arrivalsOf(cast: Cast): Scene[] {
  const { harbor, ledger, mica, quill, sable, user, workspaces } = cast
  return [
    {
      after: 4,
      does: () =>
        sable('push', {
          workspace: workspaces['checkout-web'],
          docs: ['src/order-clock.ts'],
          comments:
            'The clock is one file now\n\nEleven lines. The rest of the patch only uses it.',
        }),
    },
    {
      after: 6,
      does: () =>
        harbor(
          'request create',
          asking({
            type: 'tool_invocation',
            title: 'Start the third rehearsal on staging',
            consequence: 'Staging is read-only for about eight minutes.',
            risk: 'low',
            expires_seconds: 3600,
            payload: {
              tool: 'Bash',
              arguments: { command: './ops/cutover --rehearse --from staging' },
              risk: {
                level: 'low',
                reasons: ['Staging alone is touched'],
                touches: ['staging'],
              },
            },
          }),
        ),
    },
    {
      after: 8,
      does: () =>
        ledger('notify', { message: 'Payout of today sent: 18,204.55 euros to 61 shops.' }),
    },
    {
      after: 10,
      does: () =>
        mica('mail send', {
          to: 'user',
          type: 'question',
          subject: 'Turn search on for everybody tomorrow at ten?',
          body: 'All five languages are above 0.86. I would watch it for two hours and go back by one setting.',
        }),
    },
    {
      after: 15,
      does: () =>
        quill('push', {
          workspace: workspaces['docs-site'],
          docs: ['notes/4.2.md'],
          comments:
            'Release notes 4.2, third draft\n\nÅland stands under known faults, in one line.',
        }),
    },
    {
      after: 20,
      does: () =>
        sable(
          'request create',
          asking({
            type: 'config_change',
            title: 'Run the tests on two machines',
            consequence:
              'The nightly tests take 9 minutes instead of 16, and cost 4 euros more a month.',
            risk: 'low',
            payload: { target: 'ci.nightly', current: { machines: 1 }, proposed: { machines: 2 } },
          }),
        ),
    },
    {
      after: 25,
      does: () =>
        user('send', { to: 'quill', subject: 'Send the notes to the five shops that test for us' }),
    },
    {
      after: 30,
      does: () =>
        ledger('push', {
          workspace: workspaces.billing,
          docs: ['reports/totals.csv'],
          comments: 'Totals of today, both ledgers\n\nStill the same to the cent.',
        }),
    },
    {
      after: 45,
      does: () =>
        harbor(
          'request create',
          asking({
            type: 'question',
            title: 'Who watches on Sunday?',
            payload: {
              text: 'The move runs by itself. Somebody should look at it all the same. Who?',
              options: ['I do', 'Ann does', 'Nobody, wake me if it stops'],
            },
          }),
        ),
    },
    {
      after: 90,
      does: () => sable('notify', { message: 'Coverage of checkout is 91.4 % (+0.3).' }),
    },
  ]
}
