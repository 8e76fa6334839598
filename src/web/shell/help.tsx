// The sheet of keyboard shortcuts. It lists the registered commands, so it shows exactly the keys that work right now.

import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { GO_TO, isOn, useAllCommands } from '../ui/commands.ts'
import css from '../ui/dialog.module.css'
import { Key } from '../ui/key.tsx'

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const commands = useAllCommands().filter(({ keys }) => keys !== '' && isOn(keys))
  const groups = [...Map.groupBy(commands, ({ group }) => group)]
  // This screen's keys come first.
  const order = ([group]: [string, unknown]) => ['Everywhere', GO_TO].indexOf(group)
  groups.sort((a, b) => order(a) - order(b))
  return (
    <dialog ref={dialog} className={css.keys} aria-labelledby="keys-title" onClose={onClose}>
      <header className={css.keysHead}>
        <h2 id="keys-title" className={css.keysTitle}>
          Keyboard shortcuts
        </h2>
        <Button look="quiet" hint="Escape" onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </header>
      <div className={css.groups}>
        {groups.map(([group, own]) => (
          <section key={group} aria-label={group}>
            <h3 className="semi line-bottom pb-3">{group}</h3>
            <dl>
              {[...Map.groupBy(own, ({ title }) => title)].map(([title, all]) => (
                <div key={title} className="flex gap-6 between py-3">
                  <dt>{title}</dt>
                  <dd className="flex gap-4">
                    {all.map(({ keys }) => (
                      <span key={keys}>
                        <span className="spoken">{keys}</span>
                        <Key name={keys} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  )
}
