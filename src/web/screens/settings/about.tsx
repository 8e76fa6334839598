import { useQuery } from '@tanstack/react-query'
import { inShell, SHELL_COMMANDS } from '../../api/in-shell.ts'
import { me } from '../../api/queries.ts'
import { Command } from './command.tsx'
import { Group, Line } from './controls.tsx'
import { missingHere } from './missing.ts'
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
