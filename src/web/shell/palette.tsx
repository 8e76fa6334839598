// What the palette lists: what can be done here, what waits for the person, where one can go, and the agents. Commands
// and screens come from the one registry.

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CornerDownRight } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { asking } from '../api/queries.ts'
import { Key } from '../ui/key.tsx'
import { Mark } from '../ui/mark.tsx'
import { GO_TO, type KeyCommand, useAllCommands } from './commands.ts'
import { type Match, match } from './fuzzy.ts'
import css from './palette.module.css'
import { PaletteField, type PaletteProps } from './palette-field.tsx'

type Item = Pick<KeyCommand, 'title' | 'run' | 'disabled' | 'icon'> & {
  id: string
  keys?: string
  group: string
  about?: string
}
type Found = { item: Item; found: Match }

const NEEDS_YOU = 'Needs you'
const ORDER = ['Here', NEEDS_YOU, GO_TO, 'Agents', 'Everywhere']
const MOST_AGENTS = 50
const EVERYWHERE = 'Everywhere'

export function Palette({ query, setQuery, close }: PaletteProps) {
  const [active, setActive] = useState(0)
  const groups = useFound(query)
  const shown = groups.flatMap(([, own]) => own)
  const id = useId()
  const optionId = (at: number) => `${id}-${at}`
  const chosen = shown[active]
  const run = ({ item }: Found) => {
    if (item.disabled !== undefined) return
    // The focus goes back first, so that what runs can move it.
    close()
    item.run()
  }
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const step = (by: number) => setActive((active + by + shown.length) % Math.max(1, shown.length))
  return (
    <>
      <PaletteField
        query={query}
        setQuery={(next) => {
          setQuery(next)
          setActive(0)
        }}
        close={close}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={chosen === undefined ? undefined : optionId(active)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'ArrowDown') step(1)
          else if (event.key === 'ArrowUp') step(-1)
          else if (event.key === 'Enter' && chosen !== undefined) run(chosen)
          else return
          event.preventDefault()
        }}
      />
      {shown.length === 0 ? (
        <p className={css.none} role="status">
          Nothing matches.
        </p>
      ) : (
        <div id={`${id}-list`} className={css.list} role="listbox" aria-label="Commands">
          {groups.map(([group, own]) => (
            // biome-ignore lint/a11y/useSemanticElements: a list of options has groups, not fieldsets
            <div key={group} role="group" aria-label={group}>
              <p className={css.group} aria-hidden>
                {group}
              </p>
              {own.map((one) => {
                const at = shown.indexOf(one)
                return (
                  <Option
                    key={one.item.id}
                    id={optionId(at)}
                    one={one}
                    isActive={at === active}
                    point={() => setActive(at)}
                    run={() => run(one)}
                  />
                )
              })}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

type OptionProps = {
  id: string
  one: Found
  isActive: boolean
  point: () => void
  run: () => void
}

function Option({ id, one: { item, found }, isActive, point, run }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
    <div
      id={id}
      className={css.option}
      role="option"
      aria-selected={isActive}
      aria-disabled={item.disabled === undefined ? undefined : true}
      onPointerMove={point}
      onClick={run}
    >
      <Sign item={item} />
      <span className={css.title}>
        {[...item.title].length === item.title.length
          ? [...item.title].map((letter, at) =>
              found.at.includes(at) ? (
                <b key={at} className={css.hit}>
                  {letter}
                </b>
              ) : (
                letter
              ),
            )
          : item.title}
      </span>
      <span className={css.about}>{item.disabled ?? item.about ?? ''}</span>
      {item.keys === undefined ? null : <Key name={item.keys} />}
    </div>
  )
}

function Sign({ item: { group, title, icon: Icon = CornerDownRight } }: { item: Item }) {
  if (group === 'Agents') return <Mark name={title} size="line" />
  if (group === NEEDS_YOU) return <span className={css.needs} aria-hidden />
  return <Icon size={16} aria-hidden className={css.icon} />
}

/** The matches by their group; within a group the best first. */
function useFound(query: string): [string, Found[]][] {
  const items = useItems()
  return useMemo(() => {
    const found = items
      .flatMap((item): Found[] => {
        const one = match(query, item.title)
        return one === null ? [] : [{ item, found: one }]
      })
      .sort((a, b) => a.found.rank - b.found.rank)
    const groups = Map.groupBy(found, ({ item }) => item.group)
    return ORDER.flatMap((group): [string, Found[]][] => {
      const own = groups.get(group)
      return own === undefined ? [] : [[group, own]]
    })
  }, [items, query])
}

function useItems(): readonly Item[] {
  const commands = useAllCommands()
  const agents = useQuery(asking('agent list', { limit: MOST_AGENTS })).data?.agents
  const requests = useQuery(asking('request list', { tab: 'pending', limit: 50 })).data?.requests
  const navigate = useNavigate()
  return useMemo(() => {
    // Movement needs a key that is held; the palette is not listed in itself.
    const listed = commands.filter(({ repeats, isPalette }) => !repeats && !isPalette)
    const once = [...new Map(listed.map((one) => [`${one.group} ${one.title}`, one])).values()]
    const own = once.map((one): Item => {
      const isCommon = one.group === GO_TO || one.group === EVERYWHERE
      const id = `${one.group} ${one.title}`
      return { ...one, id, group: isCommon ? one.group : 'Here' }
    })
    const needs = (requests ?? [])
      .filter(({ status }) => status === 'pending')
      .map(({ request_id: id, title, requester }): Item => {
        const run = () => void navigate({ to: '/approvals/$id', params: { id }, search: {} })
        return { id, title, group: NEEDS_YOU, about: requester, run }
      })
    const known = (agents ?? []).map(({ agent_id, role, status }): Item => {
      const run = () => void navigate({ to: '/agents/$id', params: { id: agent_id } })
      const about = role === '' ? status : `${role}, ${status}`
      return { id: `agent ${agent_id}`, title: agent_id, group: 'Agents', about, run }
    })
    return [...own, ...needs, ...known]
  }, [commands, agents, requests, navigate])
}
