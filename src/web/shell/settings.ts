// The person's settings, shared by all their browsers. A change is shown immediately. If the server refuses it, it's
// reverted and a toast says why.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { FIRST_SETTINGS, type NotifySettings, type Settings } from '../../core/agents/settings.ts'
import { call, makeKey, type PageInput } from '../api/call.ts'
import { asking, queries } from '../api/queries.ts'
import { createStore, useStore } from '../ui/store.ts'
import { showToast } from '../ui/toasts.tsx'

export type SettingsChange = Partial<Omit<Settings, 'notify'>> & {
  notify?: Partial<Omit<NotifySettings, 'paused_until'>>
  /** Pauses notifications for this long; 0 ends the pause. */
  pause_minutes?: number
}

const pending = createStore<readonly SettingsChange[]>([])
/** Changes are sent in order. */
let sending: Promise<void> = Promise.resolve()

const SETTINGS_QUERY = asking('person settings', {})

/** The third value says whether the settings have loaded. Until then, the defaults are returned. */
export function useSettings(): [Settings, (change: SettingsChange) => void, boolean] {
  const said = useQuery(SETTINGS_QUERY).data?.settings
  const changes = useStore(pending)
  const settings = useMemo(
    () => changes.reduce(withChange, (said as Settings | undefined) ?? FIRST_SETTINGS),
    [said, changes],
  )
  return [settings, changeSettings, said !== undefined]
}

function changeSettings(change: SettingsChange): void {
  pending.set([...pending.get(), change])
  const key = makeKey()
  sending = sending.then(() => send(change, key))
}

async function send(change: SettingsChange, key: string): Promise<void> {
  try {
    await call('person set', inputOf(change), { key, keepalive: true })
    await queries.invalidateQueries({ queryKey: ['person settings'] })
  } catch (error) {
    const text = `Couldn’t save the setting: ${(error as Error).message}`
    showToast({ id: 'settings', text, isFailure: true })
  } finally {
    pending.set(pending.get().filter((one) => one !== change))
  }
}

function withChange(settings: Settings, change: SettingsChange): Settings {
  const { notify: ways = {}, pause_minutes, ...rest } = change
  const paused = pause_minutes === undefined ? {} : { paused_until: pausedUntil(pause_minutes) }
  return { ...settings, ...rest, notify: { ...settings.notify, ...ways, ...paused } }
}

function pausedUntil(minutes: number): string | null {
  return minutes === 0 ? null : new Date(Date.now() + minutes * 60_000).toISOString()
}

function inputOf({ notify: ways = {}, ...change }: SettingsChange): PageInput<'person set'> {
  const { views, single_keys, ...rest } = change
  const words = Object.entries({ ...ways, single_keys }).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? (value ? 'on' : 'off') : value,
  ])
  return {
    ...rest,
    ...(views === undefined ? {} : { views: JSON.stringify(views) }),
    ...Object.fromEntries(words),
  }
}

/** When the notification pause ends, or null if there is none. Re-renders the component at that time. */
export function usePause(): string | null {
  const [{ notify }] = useSettings()
  const [, look] = useState(0)
  const until = notify.paused_until
  const left = until === null ? 0 : Date.parse(until) - Date.now()
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => look((times) => times + 1), left)
    return () => clearTimeout(timer)
  }, [left])
  return left > 0 ? until : null
}
