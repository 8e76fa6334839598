// Buttons above an open item that press the keys of the inbox's list, which knows the next row.

import { Clock, Mail, MailOpen, Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { press } from '../../ui/commands.ts'

type Props = { isUnread: boolean; isPush: boolean }

export function ListedTools({ isUnread, isPush }: Props) {
  return (
    <>
      <Button
        look="quiet"
        icon={isUnread ? MailOpen : Mail}
        label={isUnread ? 'Mark as read' : 'Mark as unread'}
        hint="u"
        onClick={() => press('u')}
      />
      <Button look="quiet" icon={Clock} label="Snooze" hint="h" onClick={() => press('h')} />
      <Button
        look="quiet"
        icon={Trash2}
        label={isPush ? 'Move to trash' : 'Put away'}
        hint="Backspace"
        onClick={() => press('Backspace')}
      />
    </>
  )
}
