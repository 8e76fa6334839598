// A command to copy. A page over plain http has no clipboard: then the text is marked for whoever copies it.

import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { MOD } from '../../ui/key.tsx'
import css from './screen.module.css'

export function Command({ what, command }: { what: string; command: string }) {
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
