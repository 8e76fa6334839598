import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import css from './button.module.css'
import { Key } from './key.tsx'

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  look?: 'plain' | 'ink' | 'danger' | 'quiet'
  icon?: LucideIcon
  /** The keyboard shortcut for the same action. */
  hint?: string | undefined
  label?: string | undefined
  children?: ReactNode
}

export function Button(props: ButtonProps) {
  const { look = 'plain', icon: Icon, hint, label, children, ...rest } = props
  return (
    <button
      type="button"
      className={css.button}
      data-look={look}
      aria-label={label}
      title={label}
      {...rest}
    >
      {Icon === undefined ? null : <Icon size={16} aria-hidden />}
      {children}
      {hint === undefined ? null : <Key name={hint} />}
    </button>
  )
}
