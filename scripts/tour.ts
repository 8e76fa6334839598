// `npm run tour`: plays docs/tour.md and docs/mail.md, or the document named, in a fresh store, with real processes.
// The output must match the document; the first difference ends the tour with exit code 1.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.ts'
import { ROOT } from './run-step.ts'
import { play, readTranscript, type Step } from './transcript.ts'

/** Gives people time to follow. A pipe gets no delay. */
const PACE_MS = process.stdout.isTTY ? 200 : 0
/** Ten times what it takes on a slow machine: a tour that takes longer has failed. */
const LONGEST_MS = 30_000

const isColour = process.stdout.isTTY && !process.env.NO_COLOR
const bold = (text: string) => (isColour ? `\u001b[1m${text}\u001b[0m` : text)
const dim = (text: string) => (isColour ? `\u001b[2m${text}\u001b[0m` : text)

/** The second document continues where the first ends. */
const TOUR = ['docs/tour.md', 'docs/mail.md']

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interrupted.abort(signal))

async function main(): Promise<number> {
  console.log(dim(await build({ force: false })))
  const named = process.argv[2]
  const pages = named === undefined ? TOUR.map((page) => join(ROOT, page)) : [named]
  const steps = readTranscript(pages.map((page) => readFileSync(page, 'utf8')).join('\n'))
  const terminals = [...new Set(steps.map((step) => step.terminal))]
  const label = (step: Step) => `terminal ${terminals.indexOf(step.terminal) + 1}`
  const home = mkdtempSync(join(tmpdir(), 'mailroom-tour-'))
  try {
    const problems = await play(steps, {
      folder: mkdtempSync(join(home, 'shop-')),
      scratch: home,
      bin: join(ROOT, 'dist'),
      isTerminal: true,
      signal: AbortSignal.any([interrupted.signal, AbortSignal.timeout(LONGEST_MS)]),
      async onCommand(step, command) {
        await Bun.sleep(PACE_MS)
        if (step.prose !== '') console.log(`\n${step.prose}\n`)
        console.log(`${dim(label(step))}  ${step.terminal}$ ${bold(command)}`)
      },
      onOutput({ step, output, waitedMs }) {
        if (step.blocks) {
          console.log(`\n${step.outputProse}\n`)
          console.log(dim(`${label(step)}  after waiting ${Math.round(waitedMs)} ms`))
        }
        const lines = output.trimEnd().split('\n')
        console.log(lines.map((line) => `${dim('     │')} ${line}`.trimEnd()).join('\n'))
      },
    })
    if (interrupted.signal.aborted) return 130
    if (problems.length > 0) {
      console.error(`\nThis is not what the document says.\n${problems.join('\n')}`)
      return 1
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  console.log(NEXT)
  return 0
}

const NEXT = `
That was all real: two programs, one store, which is removed again.

Next:  npm install -g .                 then try it in a folder of your own
       inbox help                       the commands of a day
       skills/inbox/SKILL.md            teach it to an agent
       npm test                         prove it`

process.exitCode = await main()
