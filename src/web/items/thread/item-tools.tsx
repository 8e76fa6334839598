import { Clock, Mail, MailOpen, Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { press } from '../../ui/commands.ts'

type Props = {
  isUnread?: boolean
  isPush?: boolean
  /** Without these, the buttons trigger the key commands of the inbox's list, which knows the next row. */
  actions?: { toggleRead: () => void; trash: () => void } | undefined
}

/** The buttons above an open item. */
export function ItemTools({ isUnread = false, isPush = false, actions }: Props) {
  const isListed = actions === undefined
  const { toggleRead, trash } = actions ?? {
    toggleRead: () => press('u'),
    trash: () => press('Backspace'),
  }
  return (
    <>
      <Button
        look="quiet"
        icon={isListed && isUnread ? MailOpen : Mail}
        label={isUnread ? 'Mark as read' : 'Mark as unread'}
        hint="u"
        onClick={toggleRead}
      />
      {isListed ? (
        <Button look="quiet" icon={Clock} label="Snooze" hint="h" onClick={() => press('h')} />
      ) : null}
      <Button
        look="quiet"
        icon={Trash2}
        label={isPush ? 'Move to trash' : 'Put away'}
        hint="Backspace"
        onClick={trash}
      />
    </>
  )
}
