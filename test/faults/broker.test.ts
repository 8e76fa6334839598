// Many brokers at once, brokers that die, and agents that misbehave. An agent is started once for its mail, and no mail
// is lost.

import { describe, expect, test } from 'bun:test'
import { POINTS } from '../../src/core/store.ts'
import type { Death } from '../programs/broker.ts'
import { startProgram } from '../programs/start.ts'
import { ENGINES, withStore } from '../races/own-store.ts'
import { findingsOf } from '../races/witness.ts'
import { PROGRAM } from '../worlds/program.ts'
import { DAWN } from '../worlds/store.ts'
import { commandOf, type Wakes, withWakes } from '../worlds/wakes.ts'
import { until } from '../worlds/world.ts'
import { startInbox } from './inbox.ts'
import { isAlive, parentOf } from './processes.ts'

type Engine = (typeof ENGINES)[number]

function inWakes(engine: Engine, use: (wakes: Wakes) => Promise<void>): Promise<void> {
  return withStore(engine, (store) => withWakes(store, use))
}

/** Uses a clock that only the test moves. */
function inStillWakes(engine: Engine, use: (wakes: Wakes) => Promise<void>): Promise<void> {
  return inWakes(engine, async (wakes) => {
    await wakes.store.clock.set(DAWN)
    await use(wakes)
  })
}

async function stateOf({ store }: Wakes, message: string): Promise<unknown> {
  const rows = await store.sql('select state from deliveries where message_id = ?', message)
  return rows[0]?.state
}

describe.each([...ENGINES])('%s: any number of brokers', (engine) => {
  test.each([2, 5])('%d brokers start each agent once', async (brokers) => {
    await inWakes(engine, async (wakes) => {
      const names = ['ann', 'bob', 'cid', 'dan']
      for (const name of names) await wakes.agent(name, 'works')
      for (let i = 0; i < brokers; i++) wakes.broker()
      for (let round = 1; round <= 3; round++) {
        const ids = await Promise.all(names.map((name) => wakes.send(name)))
        const log = await wakes.settled(round * names.length)
        expect(log).toHaveLength(round * names.length)
        const turns = wakes.turns().slice(-names.length)
        expect(turns.map(({ agent }) => agent).sort()).toEqual(names)
        // Mail stays unread here, so each turn gets all of it, newest last.
        for (const [i, name] of names.entries()) {
          expect(turns.find(({ agent }) => agent === name)?.mail.at(-1)).toBe(ids[i] as string)
        }
      }
      expect(wakes.turns().flatMap(({ leaked }) => leaked)).toEqual([])
      expect(await findingsOf(wakes.store.address)).toEqual([])
    })
  })
})

const BEFORE_COMMIT: Death[] = ['begun', 'decided', 'written']
const DEATHS: Death[] = [...POINTS, 'unstarted', 'started']

describe.each([...ENGINES])('%s: a broker killed', (engine) => {
  test.each(DEATHS)(
    'at "%s" starts no agent twice, and its mail is still presented',
    async (death) => {
      await inStillWakes(engine, async (wakes) => {
        await wakes.agent('ann', 'works')
        const victim = startProgram<object>('broker', [wakes.store.address, death])
        await victim.line()
        const id = await wakes.send('ann')
        expect((await victim.ended).signal).toBe('SIGKILL')
        wakes.broker()
        if (death === 'committed' || death === 'unstarted') {
          expect(await wakes.wakes()).toMatchObject([{ state: 'starting', attempt: 1 }])
          await wakes.advance(31)
          await until(async () => (await wakes.wakes())[0]?.state === 'lost', 'it is lost')
          expect(wakes.turns()).toEqual([])
          await wakes.advance(11)
        }
        const log = await wakes.settled(1)
        const attempts = BEFORE_COMMIT.includes(death) || death === 'started' ? 1 : 2
        expect(log).toHaveLength(attempts)
        expect(log[0]).toMatchObject({ state: 'ended', attempt: attempts, exit_code: 0 })
        // No other wake follows, even much later.
        await wakes.advance(3600)
        expect(wakes.turns().map(({ mail }) => mail)).toEqual([[id]])
        expect(await stateOf(wakes, id)).toBe('presented')
        expect(await findingsOf(wakes.store.address)).toEqual([])
      })
    },
  )

  test('together with its supervisor loses the wake, and another broker tries again', async () => {
    await inStillWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'works')
      const broker = wakes.broker()
      const letGo = wakes.hold()
      const id = await wakes.send('ann')
      await until(async () => wakes.turns().length === 1, 'a turn')
      const pid = wakes.turns()[0]?.pid ?? 0
      // The agent's parent is its supervisor.
      process.kill(parentOf(pid), 'SIGKILL')
      broker.child.kill('SIGKILL')
      await broker.ended
      // The agent must not still be running during the next turn.
      await until(async () => !isAlive(pid), 'the agent ends with its supervisor')
      letGo()
      wakes.broker()
      await wakes.advance(31)
      await until(async () => (await wakes.wakes())[0]?.state === 'lost', 'it is lost')
      await wakes.advance(11)
      expect(await wakes.settled(2)).toMatchObject([
        { state: 'ended', attempt: 2 },
        { state: 'lost', reason: 'its supervisor is gone' },
      ])
      expect(wakes.turns().map(({ mail }) => mail)).toEqual([[id], [id]])
    })
  })

  test('of several supervisors of one wake, only one starts the agent', async () => {
    await inStillWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'works')
      const victim = startProgram<object>('broker', [wakes.store.address, 'unstarted'])
      await victim.line()
      await wakes.send('ann')
      await victim.ended
      const [row] = await wakes.store.sql('select wake_id, token from wakes')
      const args = ['wake', 'exec', '--wake', String(row?.wake_id), '--json']
      const env = { INBOX_DB: wakes.store.address, INBOX_WAKE_TOKEN: String(row?.token) }
      const folder = wakes.store.folder
      const ran = await Promise.all(
        Array.from({ length: 5 }, () => startInbox(args, { env, folder }).ended),
      )
      const started = ran.map(({ stdout }) => (JSON.parse(stdout) as { started: boolean }).started)
      expect(started.filter((one) => one)).toEqual([true])
      const forged = await startInbox(args, { env: { ...env, INBOX_WAKE_TOKEN: 'lse_x' }, folder })
        .ended
      expect(JSON.parse(forged.stdout)).toMatchObject({ started: false })
      expect(wakes.turns()).toHaveLength(1)
    })
  })
})

describe.each([...ENGINES])('%s: an agent', (engine) => {
  test('whose program is missing fails, is retried later, and keeps its mail', async () => {
    await inStillWakes(engine, async (wakes) => {
      await wakes.agent('ann', ['/no/such/program'])
      wakes.broker()
      const id = await wakes.send('ann')
      for (const [attempt, pause] of [10, 30, 120, 600, 3600, 36_000].entries()) {
        await until(
          async () => {
            const [last] = await wakes.wakes()
            return last?.attempt === attempt + 1 && last.state === 'failed'
          },
          `attempt ${attempt + 1}`,
        )
        expect((await wakes.wakes())[0]?.reason).toContain('/no/such/program cannot be started')
        await wakes.advance(pause)
      }
      // After six failed attempts, only new mail starts the agent.
      expect(await wakes.user.wakeExplain({ agent: 'ann' })).toMatchObject({
        wakes: false,
        why: expect.stringContaining('only new mail'),
      })
      expect(await wakes.wakes()).toHaveLength(6)
      expect(await stateOf(wakes, id)).toBe('queued')
      await wakes.agent('ann', 'works')
      const second = await wakes.send('ann')
      await wakes.settled(1)
      expect(wakes.turns()[0]?.mail).toEqual([id, second])
    })
  })

  test('that cannot be started, or fails, is reported by the broker that started it', async () => {
    await inStillWakes(engine, async (wakes) => {
      await wakes.agent('ann', ['/no/such/program'])
      await wakes.agent('bob', 'crashes')
      await wakes.agent('cid', 'works')
      const one = ['wake', 'run', `--db=${wakes.store.address}`]
      const [words, json] = [one, [...one, '--json']].map((args) =>
        startInbox(args, { folder: wakes.store.folder }),
      )
      if (words === undefined || json === undefined) throw new Error('no brokers')
      for (const name of ['ann', 'bob', 'cid']) await wakes.send(name)
      await until(async () => (await wakes.wakes()).length === 3, 'three starts')
      await wakes.settled(2)
      const log = await wakes.wakes()
      const isTold = ({ state, wake_id, agent_id }: (typeof log)[number]) =>
        state !== 'failed' ||
        words.stderr().includes(`failed ${agent_id} (${wake_id})`) ||
        json.stdout().includes(`"failed","wake_id":"${wake_id}"`)
      await until(async () => log.every(isTold), 'failures are told of')
      for (const { child } of [words, json]) child.kill('SIGTERM')
      // The broker reports each event as it happens, separately from its result.
      const said = (await words.ended).stderr
      const lines = (await json.ended).stdout.trimEnd().split('\n')
      const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      const failed = told.filter(({ did }) => did === 'failed')
      for (const { wake_id, agent_id, state, reason } of log) {
        const isWords = said.includes(`failed ${agent_id} (${wake_id}): ${reason}\n`)
        const isJson = failed.some((line) => line.wake_id === wake_id && line.why === reason)
        // Only the broker that started the wake reports its failure.
        expect([agent_id, Number(isWords) + Number(isJson)]).toEqual([
          agent_id,
          state === 'failed' ? 1 : 0,
        ])
      }
      const started = told.filter(({ did }) => did === 'started').length
      expect(told.at(-1)).toMatchObject({ started, failed: failed.length, lost: 0 })
    })
  })

  test('that crashes is reported with the end of its stderr, and its mail stays unread', async () => {
    await inStillWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'crashes')
      wakes.broker()
      const id = await wakes.send('ann')
      const [wake] = await wakes.settled(1)
      expect(wake).toMatchObject({
        state: 'failed',
        exit_code: 3,
        reason: 'it ended with exit code 3',
      })
      expect(wake?.stderr).toEndWith('the model is \uFFFD away\n')
      expect(wake?.stderr.length).toBeLessThanOrEqual(4096)
      // Passing mail to a program that failed doesn't show that the agent saw it.
      expect(await stateOf(wakes, id)).toBe('queued')
      await wakes.advance(10)
      await wakes.settled(2)
      expect(wakes.turns().map(({ mail }) => mail)).toEqual([[id], [id]])
      expect(await findingsOf(wakes.store.address)).toEqual([])
    })
  })

  test('that fails without a call has not received its mail, but one that made a call has', async () => {
    await inWakes(engine, async (wakes) => {
      const ended = (agent: string) =>
        until(async () => (await wakes.wakes(agent))[0]?.state === 'failed', `${agent} has failed`)
      await wakes.agent('ann', ['false'])
      await wakes.agent('bob', ['sh', '-c', `cat > /dev/null; '${PROGRAM}' claim; exit 3`])
      wakes.broker()
      const ids = [await wakes.send('ann'), await wakes.send('bob')]
      await Promise.all(['ann', 'bob'].map(ended))
      expect(await Promise.all(ids.map((id) => stateOf(wakes, id)))).toEqual([
        'queued',
        'presented',
      ])
    })
  })

  test('that ignores the signal to end is killed when its time is up', async () => {
    await inWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'hangs', { wake_timeout_seconds: 1 })
      wakes.broker()
      await wakes.send('ann')
      const [wake] = await wakes.settled(1)
      expect(wake).toMatchObject({
        state: 'failed',
        reason: 'it took longer than 1 s and was ended',
      })
      expect(isAlive(wakes.turns()[0]?.pid ?? 0)).toBe(false)
    })
  })

  test('that floods stderr is not blocked, and only the end is stored', async () => {
    await inWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'floods')
      wakes.broker()
      await wakes.send('ann')
      const [wake] = await wakes.settled(1)
      expect(wake?.state).toBe('ended')
      expect(wake?.stderr).toEndWith('that was all\n')
      expect(wake?.stderr.length).toBe(4096)
    })
  })

  test('that leaves processes behind has ended, and those processes are ended too', async () => {
    await inWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'forks')
      wakes.broker()
      await wakes.send('ann')
      const [wake] = await wakes.settled(1)
      expect(wake?.state).toBe('ended')
      const child = wakes.turns()[0]?.child ?? 0
      expect(child).toBeGreaterThan(0)
      await until(async () => !isAlive(child), 'its child has ended')
    })
  })

  test('that does not read all of its mail has failed, and the mail stays queued', async () => {
    await inStillWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'deaf')
      // More than fits in a pipe.
      const body = 'x'.repeat(300_000)
      const ids = [await wakes.send('ann', { body }), await wakes.send('ann', { body })]
      wakes.broker()
      const [wake] = await wakes.settled(1)
      expect(wake).toMatchObject({
        state: 'failed',
        reason: 'it ended without taking all of its mail',
      })
      for (const id of ids) expect(await stateOf(wakes, id)).toBe('queued')
    })
  })

  test('that gets mail during its turn has another turn for it', async () => {
    await inWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'works')
      wakes.broker()
      const letGo = wakes.hold()
      const first = await wakes.send('ann')
      await until(async () => wakes.turns().length === 1, 'a turn')
      const more = [await wakes.send('ann'), await wakes.send('ann')]
      letGo()
      const log = await wakes.settled(2)
      expect(log).toHaveLength(2)
      expect(wakes.turns().map(({ mail }) => mail)).toEqual([[first], [first, ...more]])
    })
  })

  test('that answers the mail of its turn has another turn only for mail that came later', async () => {
    await inWakes(engine, async (wakes) => {
      const command = commandOf('answers', wakes.store.folder, PROGRAM)
      await wakes.agent('ann', command, { may_write_to_user: true })
      wakes.broker()
      const letGo = wakes.hold()
      const first = await wakes.send('ann')
      await until(async () => wakes.turns().length === 1, 'a turn')
      const more = await wakes.send('ann', { in_reply_to: first })
      letGo()
      expect(await wakes.settled(2)).toMatchObject([{ state: 'ended' }, { state: 'ended' }])
      expect(wakes.turns().map(({ mail }) => mail)).toEqual([[first], [more]])
      for (const id of [first, more]) expect(await stateOf(wakes, id)).toBe('acted')
    })
  })

  test('that is set to off during its turn stays off', async () => {
    await inWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'works')
      wakes.broker()
      const letGo = wakes.hold()
      await wakes.send('ann')
      await until(async () => wakes.turns().length === 1, 'a turn')
      await wakes.user.agentStatus({ agent: 'ann', status: 'off' })
      letGo()
      await wakes.settled(1)
      const { agent } = await wakes.user.agentStatus({ agent: 'ann' })
      expect(agent.status).toBe('off')
    })
  })
})

describe.each([...ENGINES])('%s: a broker', (engine) => {
  test('reports what it did when it is ended, and the turn it started finishes', async () => {
    await inWakes(engine, async (wakes) => {
      await wakes.agent('ann', 'works')
      const broker = wakes.broker()
      const letGo = wakes.hold()
      const id = await wakes.send('ann')
      await until(async () => wakes.turns().length === 1, 'a turn')
      broker.child.kill('SIGTERM')
      const { exit, stdout, stderr } = await broker.ended
      expect({ exit, stderr }).toEqual({ exit: 143, stderr: '' })
      const [wake] = await wakes.wakes()
      expect(wake?.state).toBe('running')
      const { wake_id, agent_id } = wake as { wake_id: string; agent_id: string }
      const lines = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
      expect(lines).toEqual([
        {
          did: 'started',
          wake_id,
          agent_id,
          cause: 'mail',
          attempt: 1,
          mail: 1,
          command: expect.any(Array),
        },
        {
          ok: true,
          command: 'wake run',
          started: 1,
          lost: 0,
          failed: 0,
          held: 0,
          effects: 0,
          next_event_id: expect.any(Number),
        },
      ])
      letGo()
      expect(await wakes.settled(1)).toMatchObject([{ state: 'ended', exit_code: 0 }])
      expect(wakes.turns().map(({ mail }) => mail)).toEqual([[id]])
    })
  })
})

describe.each([...ENGINES])('%s: a supervisor', (engine) => {
  test('that is asked to end ends its agent and records why', async () => {
    await inWakes(engine, async (wakes) => {
      await wakes.agent('ann', commandOf('hangs', wakes.store.folder))
      wakes.broker()
      await wakes.send('ann')
      await until(async () => wakes.turns().length === 1, 'a turn')
      const pid = wakes.turns()[0]?.pid ?? 0
      process.kill(parentOf(pid), 'SIGTERM')
      const [wake] = await wakes.settled(1)
      expect(wake).toMatchObject({ state: 'failed', reason: 'it was ended from outside' })
      expect(isAlive(pid)).toBe(false)
    })
  })
})
