// The settings of this browser, and the commands for what a browser may not do.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { me } from '../api/queries.ts'
import { useSettings } from '../api/settings.ts'
import { GRACE_SETTING, GRACES, graceSeconds } from '../approvals/deciding.ts'
import css from './screen.module.css'

const THEMES = { '': 'As the system', light: 'Light', dark: 'Dark' }

export function SettingsScreen() {
  const { data } = useQuery(me)
  const [settings, change] = useSettings()
  const program = data?.program ?? 'inbox'
  return (
    <div className={css.screen}>
      <div className={css.column}>
        <h1 className={css.title}>Settings</h1>
        <p
          className={css.quiet}
        >{`Signed in as ${data?.principal.name ?? ''}. These are of this browser alone.`}</p>
        <Stored
          label="Theme"
          place="theme"
          options={THEMES}
          initial=""
          onChange={(theme) => {
            if (theme === '') delete document.documentElement.dataset.theme
            else document.documentElement.dataset.theme = theme
          }}
        />
        <Stored
          label="Time to take a decision back"
          place={GRACE_SETTING}
          options={Object.fromEntries(GRACES.map((one) => [String(one), `${one} seconds`]))}
          initial={String(graceSeconds())}
        />
        <label className={css.setting}>
          <span>Single keys</span>
          <select
            className={css.select}
            value={settings.single_keys ? 'on' : 'off'}
            onChange={({ target }) => change({ single_keys: target.value === 'on' })}
          >
            <option value="on">On</option>
            <option value="off">Off</option>
          </select>
        </label>
        <h2 className={css.group}>In a shell</h2>
        <p className={css.quiet}>
          A browser decides who comes in as little as it can. These are commands for a shell on the
          server's machine:
        </p>
        <Commands
          of={{
            'Let a program in': `${program} token issue NAME`,
            'Let agents show files of a folder': `${program} workspace add FOLDER`,
            'Add a person': `${program} person add NAME`,
            'Let an agent be started when mail comes': `${program} wake allow NAME`,
            'Say what an agent must ask for': `${program} agent policy NAME --require TYPE`,
          }}
        />
      </div>
    </div>
  )
}

type StoredProps = {
  label: string
  /** Where the browser keeps it. */
  place: string
  options: Record<string, string>
  initial: string
  onChange?: (value: string) => void
}

function Stored({ label, place, options, initial, onChange }: StoredProps) {
  const [value, setValue] = useState(() => localStorage.getItem(place) ?? initial)
  return (
    <label className={css.setting}>
      <span>{label}</span>
      <select
        className={css.select}
        value={value}
        onChange={({ target }) => {
          setValue(target.value)
          if (target.value === '') localStorage.removeItem(place)
          else localStorage.setItem(place, target.value)
          onChange?.(target.value)
        }}
      >
        {Object.entries(options).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

function Commands({ of }: { of: Record<string, string> }): ReactNode {
  return (
    <dl className={css.commands}>
      {Object.entries(of).map(([what, command]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>
            <code className={css.command}>{command}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
