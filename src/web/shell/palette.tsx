import { CornerDownRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { addressOf } from '../api/session.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Key } from '../ui/key.tsx'
import css from './palette.module.css'
import { PaletteField, type PaletteProps } from './palette-field.tsx'
import {
  AGENTS,
  type FoundItem,
  IN_HISTORY,
  NEEDS_YOU,
  useFound,
  useServerSearch,
} from './palette-items.ts'

export function Palette({ query, setQuery, close }: PaletteProps) {
  const [active, setActive] = useState(0)
  const local = useFound(query)
  const { found, isLooking } = useServerSearch(query)
  const groups: [string, FoundItem[]][] =
    found.length === 0 ? local : [...local, [IN_HISTORY, found]]
  const shown = groups.flatMap(([, own]) => own)
  const id = useId()
  const optionId = (at: number) => `${id}-${at}`
  const chosen = shown[active]
  const run = ({ item }: FoundItem, inNewTab: boolean) => {
    if (item.disabled !== undefined) return
    if (inNewTab && item.href !== undefined) {
      open(addressOf(item.href), '_blank', 'noopener')
      return
    }
    // Closing returns the focus, so close first: the command may move it.
    close()
    item.run()
  }
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const step = (by: number) => setActive((active + by + shown.length) % Math.max(1, shown.length))
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Enter' && chosen !== undefined) {
      run(chosen, event.ctrlKey || event.metaKey)
    } else return
    event.preventDefault()
  }
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
        onKeyDown={onKey}
      />
      {shown.length === 0 ? (
        <p className={css.none} role="status">
          No matches.
        </p>
      ) : (
        <div
          id={`${id}-list`}
          className="min-h-0 scroll px-3 pb-4"
          role="listbox"
          aria-label="Commands"
        >
          {groups.map(([group, own]) => (
            // biome-ignore lint/a11y/useSemanticElements: a list of options has groups, not fieldsets
            <div key={group} role="group" aria-label={group}>
              <p className="meta quiet pb-3 px-5 pt-5" aria-hidden>
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
                    run={(inNewTab) => run(one, inNewTab)}
                  />
                )
              })}
            </div>
          ))}
        </div>
      )}
      <footer className={css.foot}>
        <span className={css.hints}>
          <Key name="Enter" /> Run
          <Key name="Mod+Enter" /> New tab
        </span>
        <span className="push" role="status">
          {isLooking ? 'Searching history…' : ''}
        </span>
      </footer>
    </>
  )
}

type OptionProps = {
  id: string
  one: FoundItem
  isActive: boolean
  point: () => void
  run: (inNewTab: boolean) => void
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
      onClick={({ ctrlKey, metaKey }) => run(ctrlKey || metaKey)}
    >
      <Sign one={item} />
      <span className={css.title} data-path={item.isPath} dir="auto">
        <Marked title={item.title} at={found.at} />
      </span>
      <span className={css.about} dir="auto">
        {item.disabled ?? item.about ?? ''}
      </span>
      {item.keys === undefined || item.keys === '' ? null : <Key name={item.keys} />}
    </div>
  )
}

/** Highlights the matched letters, except in a title with surrogate pairs, where the positions would be off. */
function Marked({ title, at }: { title: string; at: readonly number[] }) {
  if ([...title].length !== title.length) return title
  const isHit = new Set(at)
  const runs: { hit: boolean; text: string }[] = []
  for (const [place, letter] of [...title].entries()) {
    const hit = isHit.has(place)
    const last = runs.at(-1)
    if (last?.hit === hit) last.text += letter
    else runs.push({ hit, text: letter })
  }
  return runs.map(({ hit, text }, place) =>
    hit ? (
      <b key={place} className="accent-ink semi">
        {text}
      </b>
    ) : (
      text
    ),
  )
}

function Sign({ one: { group, title, icon: Icon = CornerDownRight } }: { one: FoundItem['item'] }) {
  if (group === AGENTS) return <Avatar name={title} size="line" />
  if (group === NEEDS_YOU) return <span className={css.needs} aria-hidden />
  return <Icon size={16} aria-hidden className="rigid quiet" />
}
