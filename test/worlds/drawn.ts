// Checks that every answer a behavior gets can be drawn for people, with no `undefined` in the drawing.

import { pageOf } from '../../src/ops/kit/drawing/page.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'

const TERMINAL = { isTty: false, columns: 100, rows: 40, colour: false }

export async function mustBeDrawn({ name, lines }: Operation, answer: object): Promise<void> {
  const io = { terminal: () => TERMINAL, now: () => Date.now() }
  const drawn = await lines(answer, pageOf(io))
  const slip = drawn.match(/\bundefined\b|\bNaN\b|\[object \w+\]|Invalid Date/)
  if (slip !== null && !JSON.stringify(answer).includes(slip[0])) {
    throw new Error(`${name} is drawn with ${slip[0]}:\n${drawn}`)
  }
}
