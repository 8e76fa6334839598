import { Search } from 'lucide-react'
import type { InputHTMLAttributes } from 'react'
import { Button } from '../ui/button.tsx'
import css from './palette.module.css'

export type PaletteProps = { query: string; setQuery: (query: string) => void; close: () => void }

/** Shown immediately, so that typing isn't lost while the rest of the palette loads. */
export function PaletteField({
  query,
  setQuery,
  close,
  ...rest
}: PaletteProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <div className={css.head}>
      <Search size={16} aria-hidden />
      <input
        className={css.input}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type into it
        autoFocus
        type="text"
        aria-label="Search or run"
        placeholder="Search or run"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        {...rest}
      />
      <Button look="quiet" hint="Escape" onClick={close}>
        Close
      </Button>
    </div>
  )
}
