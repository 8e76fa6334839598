import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { showToast } from './toasts.tsx'

type Props = { text: string; children?: string }

/** Copies a text. A page that was not served over a secure line may not, and says so. */
export function CopyButton({ text, children }: Props) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      showToast({
        id: 'copy',
        text: "This browser doesn't let the page copy. Select the text instead.",
      })
    }
  }
  return (
    <Button
      look="quiet"
      icon={isCopied ? Check : Copy}
      {...(children === undefined ? { label: 'Copy' } : {})}
      onClick={() => void copy()}
    >
      {children === undefined ? undefined : isCopied ? 'Copied' : children}
    </Button>
  )
}
