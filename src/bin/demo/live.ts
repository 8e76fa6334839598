// Keeps the demo moving: agents answer what a person writes, and the tracks in examples/demo/live.json play, quickly at
// first and then more and more slowly. The demo can run forever without growing forever: every track that adds
// something ends, and the only endless one just switches documents between a few versions.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isToStop } from '../../core/workflows/instance.ts'
import type { OperationName } from '../../ops/catalogue.ts'
import { endInstance, keepInstance } from '../../workflows/instance-life.ts'
import { answerMail, answerMentions, ignoreRefusal } from './answers.ts'
import type { DemoFiles } from './demo-files.ts'
import { type Actor, type Actors, CAST, DemoOver, INSTANCE, pause, type Stage } from './stage.ts'

export type Track = {
  /** How many scenes to play, starting over after the last one. If undefined, plays forever. */
  plays?: number
  /** Seconds to wait before a scene without `after`. `more` is added after each scene. */
  pauses?: { first: number; more: number; most: number }
  scenes: Scene[]
}

type Scene = { after?: number } & (
  | { as: keyof Actors; call: OperationName; input: Record<string, unknown> }
  | { file: string; replace: Record<string, string> }
)

/** Agents whose program is always running. Wren sleeps until someone writes to it. */
const AWAKE = ['harbor', 'ledger', 'mica', 'quill', 'sable'] as const
const MEMBERS = ['atlas', 'fern', 'orbit'] as const
const KEEP_SECONDS = 5

export type Play = {
  tracks: Track[]
  files: DemoFiles
  runnerToken: string
  log: (text: string) => void
}

export async function playOn(stage: Stage, play: Play): Promise<void> {
  const parts = [
    ...play.tracks.map((track) => playTrack(stage, track, play.files)),
    ...AWAKE.map(async (name) => {
      while (!stage.signal.aborted) await answerMail(stage, name)
    }),
    ...MEMBERS.map(async (name) => {
      while (!stage.signal.aborted) await answerMentions(stage, name)
    }),
    runChannel(stage, play.runnerToken),
  ]
  const logEnd = (error: Error) => {
    if (error instanceof DemoOver || stage.signal.aborted) return
    play.log(`inbox: a part of the demo has ended: ${error.message}\n`)
  }
  await Promise.all(parts.map((part) => part.catch(logEnd)))
}

async function playTrack(
  stage: Stage,
  { plays = Number.POSITIVE_INFINITY, pauses, scenes }: Track,
  files: DemoFiles,
): Promise<void> {
  for (let n = 0; n < plays; n++) {
    const scene = scenes[n % scenes.length] as Scene
    const usual = pauses === undefined ? 0 : Math.min(pauses.first + n * pauses.more, pauses.most)
    await pause(stage, scene.after ?? usual)
    if ('file' in scene) changeDocument(stage, scene, files)
    else {
      const input = fillIn(scene.input, n)
      const actor = stage.actors[scene.as] as (...asked: unknown[]) => ReturnType<Actor>
      await ignoreRefusal(() => actor(scene.call, input))
    }
  }
}

/** Replaces `{play}` with the number of the play, so that repeated messages differ. */
function fillIn(input: Record<string, unknown>, play: number): Record<string, unknown> {
  const fill = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll('{play}', String(play)) : value
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, fill(value)]))
}

/** Always starts from the first version, so the document never grows. */
function changeDocument(
  { folder }: Stage,
  { file, replace }: Extract<Scene, { file: string }>,
  { documents }: DemoFiles,
): void {
  let text = new TextDecoder().decode(documents.get(file))
  for (const [old, now] of Object.entries(replace)) text = text.replace(old, now)
  writeFileSync(join(folder, file), text)
}

/** Acts as the channel's runner: holds the instance until someone stops it. */
async function runChannel(stage: Stage, token: string): Promise<void> {
  const { store } = stage.house
  const members = Object.keys(CAST).filter((name) => name.endsWith(`@${INSTANCE}`))
  for (;;) {
    await keepInstance(store, { instance: INSTANCE, token })
    const found = await store.instance(INSTANCE)
    if (found !== null && members.every((name) => isToStop(found, name))) {
      await endInstance(store, { instance: INSTANCE, token }, 'stopped')
      return
    }
    await pause(stage, KEEP_SECONDS)
  }
}
