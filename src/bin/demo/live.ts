// The demo while one watches: agents hear what a person says and answer, documents change, and new things arrive, quickly
// at first and then ever more slowly. It goes on for ever without growing for ever: arrivals come to an end, and what
// remains are answers to the person and documents that change back and forth.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerMail, refusalIsFine } from './answers.ts'
import { arrivalsOf } from './arrivals.ts'
import type { Cast, Name } from './cast.ts'
import { CHANNEL_EARS, type DemoChannel, hearChannel, runChannel, talkOn } from './channel.ts'
import { CUTOVER, NOTES, RECALL } from './papers.ts'

import { DemoOver, pause, type Stage } from './stage.ts'
import type { OpenWork } from './today.ts'

/** The agents whose program runs all the time. Wren sleeps until somebody writes to it. */
const AWAKE: Name[] = ['harbor', 'ledger', 'mica', 'quill', 'sable']
const EAR_SECONDS = 600
/** After the last arrival an agent still reports on its work so many times. */
const REPORTS = 30
const DOCUMENT_SECONDS = 9
const MOST_DOCUMENT_SECONDS = 60

export async function playOn(
  stage: Stage,
  { cast, work, channel }: { cast: Cast; work: OpenWork; channel: DemoChannel },
  log: (text: string) => void,
): Promise<void> {
  const lasting = async (part: () => Promise<void>) => {
    try {
      await part()
    } catch (error) {
      if (error instanceof DemoOver || stage.signal.aborted) return
      log(`inbox: a part of the demo has ended: ${(error as Error).message}\n`)
    }
  }
  const ears = AWAKE.map((name) => async () => {
    while (!stage.signal.aborted) await answerMail(stage, name, cast[name], EAR_SECONDS)
  })
  const parts = [
    ...ears,
    () => changeDocuments(stage, cast),
    () => arrive(stage, cast),
    () => report(stage, cast, work),
    () => runChannel(stage, channel),
    () => talkOn(stage, channel),
    ...CHANNEL_EARS.map((name) => () => hearChannel(stage, channel, name)),
  ]
  await Promise.all(parts.map(lasting))
}

async function arrive(stage: Stage, cast: Cast): Promise<void> {
  for (const { after, does } of arrivalsOf(cast)) {
    await pause(stage, after)
    await refusalIsFine(does)
  }
}

/** The work that is under way moves a little, as long as nobody has ended it. */
async function report(stage: Stage, { harbor, mica }: Cast, work: OpenWork): Promise<void> {
  const steps = [
    'Third rehearsal: writers are quiet',
    'Third rehearsal: 40 % of the rows are over',
    'Third rehearsal: comparing totals',
    'Third rehearsal done: 7 min 31 s, nothing lost',
  ]
  for (let round = 0; round < REPORTS; round++) {
    await pause(stage, Math.min(14 + round * 6, 120))
    const summary = steps[round % steps.length] ?? ''
    await refusalIsFine(() =>
      harbor('update', { thread: work.move, status: 'in_progress', summary }),
    )
    if (round !== 2) continue
    await refusalIsFine(() =>
      mica('done', {
        thread: work.rounding,
        summary: 'Three cents found: a discount was spread before tax',
        body: 'Fixed in `spread`. March is right to the cent, and so are the other five months.',
      }),
    )
  }
}

/** Documents go to and fro between what they were and what they are: they are live, and no larger after a week. */
async function changeDocuments(stage: Stage, { folders }: Cast): Promise<void> {
  const cutover = join(folders.billing, 'runbooks/cutover.md')
  const languages = join(folders.search, 'reports/languages.md')
  const notes = join(folders['docs-site'], 'notes/4.2.md')
  const changes = [
    () =>
      writeFileSync(cutover, CUTOVER('three times', '7 min 52 s', 'Nothing was lost in any run.')),
    () => writeFileSync(languages, RECALL('0.91')),
    () =>
      writeFileSync(
        notes,
        NOTES('third', 'A quiet release: three things that shops asked us for.'),
      ),
    () =>
      writeFileSync(cutover, CUTOVER('four times', '7 min 31 s', 'Nothing was lost in any run.')),
    () => writeFileSync(languages, RECALL('0.92')),
    () =>
      writeFileSync(
        notes,
        NOTES('third', 'A quiet release, with three things that you asked us for.'),
      ),
  ]
  for (let round = 0; ; round++) {
    await pause(stage, Math.min(DOCUMENT_SECONDS + round * 3, MOST_DOCUMENT_SECONDS))
    changes[round % changes.length]?.()
  }
}
