// Every answer a behaviour gets can be drawn for people, and no value is missing from the drawing.

import { render } from '../../src/doors/cli/render.ts'

const TERMINAL = { isTty: false, columns: 100, rows: 40, colour: false }

export async function mustBeDrawn(op: string, answer: object): Promise<void> {
  const io = { terminal: () => TERMINAL, now: () => Date.now() }
  const drawn = await render(op, answer, io)
  const slip = drawn.match(/\bundefined\b|\bNaN\b|\[object \w+\]|Invalid Date/)
  if (slip !== null && !JSON.stringify(answer).includes(slip[0])) {
    throw new Error(`${op} is drawn with ${slip[0]}:\n${drawn}`)
  }
}
