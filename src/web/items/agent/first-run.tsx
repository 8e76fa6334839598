// Shown in an empty store: how to connect the first agent. It tracks progress step by step, and the list replaces it
// when the first message arrives.

import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CLIENTS, type ClientName } from '../../../core/clients/client.ts'
import { asking, me } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { copyWithToast } from '../../ui/copy-button.tsx'
import css from './first-run.module.css'

const CALLED: Record<ClientName, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  opencode: 'OpenCode',
}

const FIRST_WORDS = 'Read the README and push me three things you would change.'

export function FirstRun() {
  const { data } = useQuery(me)
  const [client, setClient] = useState<ClientName>('claude')
  if (data === undefined) return null
  const commands = data.connect.here.map((line) =>
    line.replace('install claude', `install ${client}`),
  )
  return (
    <section data-first-run aria-labelledby="first-title">
      <div className={css.column}>
        <h2 id="first-title" className="semi title">
          Nothing here yet
        </h2>
        <p className="prose quiet">
          Agents send finished work, questions and requests here. Connecting the first one takes a
          minute, and everything it writes stays in your store.
        </p>
        <ol className={css.steps}>
          <Step title="Install Mailroom for the agent" about="In its project folder, run:">
            <fieldset className="flex gap-1 wrap bare">
              <legend className="spoken">Agent</legend>
              {CLIENTS.map((one) => (
                <label key={one} className={css.client}>
                  <input
                    type="radio"
                    className="spoken"
                    name="client"
                    checked={client === one}
                    onChange={() => setClient(one)}
                  />
                  {CALLED[one]}
                </label>
              ))}
            </fieldset>
            <Copied what="the commands" text={commands.join('\n')}>
              {commands.map((line) => (
                <code key={line} className={css.command}>
                  {line}
                </code>
              ))}
            </Copied>
          </Step>
          <Step
            title="Start the agent and ask it for something"
            about="Anything works. For example:"
          >
            <Copied what="the prompt" text={FIRST_WORDS}>
              {FIRST_WORDS}
            </Copied>
          </Step>
          <Step title="It shows up here" about="This page updates by itself. No need to reload.">
            <Noticed />
          </Step>
        </ol>
        <p className="quiet">
          Just looking? <code>{`${data.program} serve --demo`}</code> starts a demo store with
          several agents at work, and deletes it afterward.
        </p>
      </div>
    </section>
  )
}

function Step({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <li className={css.step}>
      <h3 className={css.name}>{title}</h3>
      <p className="quiet">{about}</p>
      {children}
    </li>
  )
}

type CopiedProps = { what: string; text: string; children: ReactNode }

function Copied({ what, text, children }: CopiedProps) {
  return (
    <div className={css.copied}>
      <div>{children}</div>
      <Button
        look="quiet"
        icon={Copy}
        label={`Copy ${what}`}
        onClick={() => void copyWithToast(text)}
      />
    </div>
  )
}

/** What has happened so far, and what the page is waiting for. */
function Noticed() {
  const { data: known } = useQuery(asking('agent list', { limit: 20 }))
  const { data: places } = useQuery(asking('workspace list', {}))
  const workspaces = (places?.workspaces ?? []).map(({ label }) => label)
  // Adding a workspace registers its default agent, which isn't running.
  const own = new Set((places?.workspaces ?? []).map(({ default_agent }) => default_agent))
  const agents = (known?.agents ?? []).map(({ agent_id }) => agent_id).filter((id) => !own.has(id))
  const [first] = agents
  return (
    <ul className={css.noticed} aria-live="polite">
      <Done>Listening at {location.host}</Done>
      {workspaces.slice(0, 3).map((label) => (
        <Done key={label}>
          Workspace <b>{label}</b> added
        </Done>
      ))}
      {agents.slice(0, 3).map((name) => (
        <Done key={name}>
          <b>{name}</b> is connected
        </Done>
      ))}
      <li>
        <i className={css.dot} aria-hidden />
        {first === undefined
          ? 'Waiting for the first agent to connect'
          : `Waiting for the first message from ${first}`}
      </li>
    </ul>
  )
}

function Done({ children }: { children: ReactNode }) {
  return (
    <li>
      <Check size={16} className={css.done} aria-label="Done" />
      <span>{children}</span>
    </li>
  )
}
