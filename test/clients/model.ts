// A scripted model at the address where an agent's program expects a real one. It keeps its prompts, so that a test can
// check what a real model would have seen.

import { afterAll } from 'bun:test'
import type { Body, Dialect } from './dialect.ts'

/** A model's next step: text for the user, which ends its turn, or a tool call, using our name for the tool. */
export type Act = { say: string } | { tool: string; args: object }

/** What the model has been told since its last step, and the tool's result if that step was a call. */
export type Heard = { text: string; answer: ToolAnswer }

/** The parts of our tools' results that scripts look at. */
export type ToolAnswer = {
  note?: string
  entry_id?: string
  messages?: { id: string; from: string; body: string }[]
  thread?: { thread_id: string; status: string }
  lease?: { lease_token: string }
  error?: { code: string; message: string }
}

/** Takes what the model is told first, yields its steps, and gets what the model is told after each. */
export type Script = (first: Heard) => Generator<Act, void, Heard>

export type Model = {
  url: string
  /** The prompts the model was given, one per request, oldest first. */
  asked: string[]
  /** Sets the script that the model follows from now on. */
  play: (script: Script) => void
  /** Throws the error of the script, if there was one. */
  check: () => void
}

export function models(): (dialect: Dialect) => Model {
  const running: { stop: (now: boolean) => Promise<void> }[] = []
  afterAll(() => Promise.all(running.map((one) => one.stop(true))))
  return (dialect) => {
    const { server, model } = startModel(dialect)
    running.push(server)
    return model
  }
}

function startModel(dialect: Dialect) {
  const asked: string[] = []
  let script: Script | undefined
  let playing: Generator<Act, void, Heard> | undefined
  let failure: unknown
  const next = (heard: Heard): Act => {
    if (playing === undefined && script === undefined) return { say: 'nothing to do' }
    const isFirst = playing === undefined
    playing ??= (script as Script)(heard)
    const { done, value } = isFirst ? playing.next() : playing.next(heard)
    return done || value === undefined ? { say: 'that is all' } : value
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const words = await request.text()
      const body = words.startsWith('{') ? (JSON.parse(words) as Body) : {}
      if (!dialect.isTurn(pathname, body)) {
        return body.stream === true
          ? stream(dialect.say('ok', body))
          : Response.json(dialect.other(pathname))
      }
      asked.push(words)
      try {
        const act = next(dialect.heard(body))
        if ('say' in act) return stream(dialect.say(act.say, body))
        return stream(dialect.call(act.tool, act.args, body))
      } catch (error) {
        failure ??= error
        return stream(dialect.say('the script failed', body))
      }
    },
  })
  const check = () => {
    const found = failure
    failure = undefined
    if (found !== undefined) throw found
  }
  const model: Model = {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    check,
    play(next) {
      check()
      script = next
      playing = undefined
    },
  }
  return { server, model }
}

function stream(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}
