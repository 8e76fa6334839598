import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { inShell, SHELL_COMMANDS } from '../../api/in-shell.ts'
import { me } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { MOD } from '../../ui/key.tsx'
import { Group, Line } from './controls.tsx'
import css from './screen.module.css'

export function About() {
  const { data } = useQuery(me)
  return (
    <>
      <Group title="Mailroom">
        <Line title="Version">{data?.version}</Line>
        <Line title="Store">{data?.store}</Line>
        <Line title="Signed in as">{data?.principal.name}</Line>
        <Line title="Leave this browser">
          <form method="post" action="/sign-out">
            <button type="submit" className={css.link}>
              Sign out
            </button>
          </form>
        </Line>
      </Group>
      <Group
        title="In a shell"
        about="A browser cannot change these, so that no page and no agent gives itself more. Copy a command and run it on the server’s machine."
      >
        {Object.entries(SHELL_COMMANDS).map(([what, words]) => (
          <Command key={what} what={what} command={inShell(data, words)} />
        ))}
      </Group>
      <Missing />
    </>
  )
}

function Missing() {
  const missing = missingHere()
  const about =
    missing.length === 0
      ? 'Everything works in this browser.'
      : isSecureContext
        ? 'This browser does not have all that the app can use. The rest works.'
        : 'This page came over plain http from another machine, and browsers keep some things from such pages. Over https, or on the machine itself, they work.'
  return (
    <Group title="This browser" about={about}>
      {missing.map(({ what, instead }) => (
        <Line key={what} title={what} about={instead} />
      ))}
    </Group>
  )
}

/** A command to copy. A page over plain http can't use the clipboard, so Copy selects the text instead. */
function Command({ what, command }: { what: string; command: string }) {
  const code = useRef<HTMLElement>(null)
  const [said, setSaid] = useState('')
  const mark = () => {
    if (code.current !== null) getSelection()?.selectAllChildren(code.current)
    setSaid(`Press ${MOD}+C`)
  }
  const copy = async () => {
    if (navigator.clipboard === undefined) return mark()
    try {
      await navigator.clipboard.writeText(command)
      setSaid('Copied')
    } catch {
      mark()
    }
  }
  return (
    <div className={css.commandLine}>
      <p>{what}</p>
      <div className={css.command}>
        <code ref={code} className={css.code}>
          {command}
        </code>
        <span className={css.said} role="status">
          {said}
        </span>
        <Button
          look="quiet"
          icon={said === 'Copied' ? Check : Copy}
          label={`Copy: ${command}`}
          onClick={() => void copy()}
        />
      </div>
    </div>
  )
}

type Lack = { what: string; instead: string }

function missingHere(): Lack[] {
  const have: [boolean, Lack][] = [
    [
      isSecureContext && 'Notification' in globalThis,
      {
        what: 'Desktop notifications',
        instead: 'The title and the icon of the tab show what needs you; sound works.',
      },
    ],
    [
      'setAppBadge' in navigator,
      { what: 'A badge on the app’s icon', instead: 'The title of the tab has the number.' },
    ],
    [
      navigator.clipboard !== undefined,
      {
        what: 'Copying by a button',
        instead: 'Copy marks the text, and you copy it by the keyboard.',
      },
    ],
    [
      navigator.locks !== undefined,
      {
        what: 'One connection for all tabs',
        instead: 'Each tab listens for itself while you see it.',
      },
    ],
  ]
  return have.flatMap(([isThere, missing]) => (isThere ? [] : [missing]))
}
