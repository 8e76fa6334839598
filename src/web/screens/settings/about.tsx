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
        <Line title="Sign out of this browser">
          <form method="post" action="/sign-out">
            <button type="submit" className="accent-ink medium control-h">
              Sign out
            </button>
          </form>
        </Line>
      </Group>
      <Group
        title="In a shell"
        about="You can’t change these in a browser, so no page or agent can give itself more access. Copy a command and run it on the server’s machine."
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
        ? 'This browser is missing some features. Everything else works.'
        : 'This page was loaded over plain http from another machine, so the browser turns some features off. They work over https, or on the server’s own machine.'
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
    <div className="line-top py-5">
      <p>{what}</p>
      <div className={css.command}>
        <code ref={code} className="grow break text-code">
          {command}
        </code>
        <span className="quiet small" role="status">
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
        instead: 'The tab’s title and icon show what needs you, and sound works.',
      },
    ],
    [
      'setAppBadge' in navigator,
      { what: 'A badge on the app’s icon', instead: 'The tab’s title shows the number.' },
    ],
    [
      navigator.clipboard !== undefined,
      {
        what: 'Copy buttons',
        instead: 'Copy selects the text, and you copy it with the keyboard.',
      },
    ],
    [
      navigator.locks !== undefined,
      {
        what: 'One connection for all tabs',
        instead: 'Each visible tab has its own connection.',
      },
    ],
  ]
  return have.flatMap(([isThere, missing]) => (isThere ? [] : [missing]))
}
