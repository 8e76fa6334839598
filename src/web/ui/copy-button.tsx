import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { showToast } from './toasts.tsx'

type Props = { text: string; children?: string }

export function CopyButton({ text, children }: Props) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Button
      look="quiet"
      icon={isCopied ? Check : Copy}
      label={children === undefined ? 'Copy' : undefined}
      onClick={() => void copyText(text).then(setCopied)}
    >
      {children !== undefined && isCopied ? 'Copied' : children}
    </Button>
  )
}

/** Shows a toast and resolves to false if the browser refuses, as it does for HTTP pages from another machine. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    showToast({
      id: 'copy',
      text: 'The browser didn’t allow copying. Select the text and copy it with the keyboard.',
      isFailure: true,
    })
    return false
  }
}

/** Copies text and confirms with a toast, for places that have no button to show the confirmation. */
export async function copyWithToast(text: string): Promise<void> {
  if (await copyText(text)) showToast({ id: 'copy', text: 'Copied' })
}
