import { useState } from 'react'
import {
  askForDesktop,
  type DesktopState,
  desktopState,
} from '../../shell/notifications/desktop.ts'
import { play } from '../../shell/notifications/sound.ts'
import { usePause, useSettings } from '../../shell/settings.ts'
import { Button } from '../../ui/button.tsx'
import { clockOf } from '../../ui/time.tsx'
import { Group, Line, Switch } from './controls.tsx'

export function NotificationSettings() {
  const [{ notify }, change] = useSettings()
  return (
    <>
      <Group
        title="When an agent needs you"
        about="Requests and questions. Nothing else interrupts unless you choose it here."
      >
        <Desktop />
        <Switch
          title="Sound"
          about="At most once every 10 seconds"
          isOn={notify.sound}
          onChange={(sound) => change({ notify: { sound } })}
        >
          <Button onClick={() => play('needs you', true)}>Play</Button>
        </Switch>
        <Switch
          title="Failed work"
          about="Notifies you the same way"
          isOn={notify.failures}
          onChange={(failures) => change({ notify: { failures } })}
        />
      </Group>
      <Group title="Quiet" about="Counts still update.">
        <QuietHours />
        <PauseLine />
      </Group>
    </>
  )
}

const STATE_WORDS: Record<DesktopState, string> = {
  absent: 'Not available on this page. See About',
  'not asked': 'Your browser will ask for permission',
  denied: 'Blocked by this browser. Allow notifications from the address bar',
  granted: 'Shows the title and the agent, never the content',
}

/** Only this button asks the browser for permission. */
function Desktop() {
  const [{ notify }, change] = useSettings()
  const [state, setState] = useState(desktopState)
  const title = 'Desktop notifications'
  if (state === 'granted') {
    return (
      <Switch
        title={title}
        about={STATE_WORDS.granted}
        isOn={notify.desktop}
        onChange={(desktop) => change({ notify: { desktop } })}
      />
    )
  }
  const ask = async () => {
    const next = await askForDesktop()
    setState(next)
    if (next === 'granted') change({ notify: { desktop: true } })
  }
  return (
    <Line title={title} about={STATE_WORDS[state]}>
      {state === 'not asked' ? (
        <Button onClick={() => void ask()}>Tell me when an agent needs me</Button>
      ) : null}
    </Line>
  )
}

const NIGHT = { quiet_from: '22:00', quiet_to: '07:00' }

function QuietHours() {
  const [{ notify }, change] = useSettings()
  const { quiet_from, quiet_to } = notify
  const isOn = quiet_from !== null && quiet_to !== null
  const set = (next: { quiet_from: string; quiet_to: string }) => {
    // A field may be empty while it's being edited, and equal times would mean no quiet hours at all.
    const isWhole = next.quiet_from !== '' && next.quiet_to !== ''
    if (isWhole && next.quiet_from !== next.quiet_to) change({ notify: next })
  }
  return (
    <Switch
      title="Quiet hours"
      about="In this browser’s local time"
      isOn={isOn}
      onChange={(next) => change({ notify: next ? NIGHT : { quiet_from: null, quiet_to: null } })}
    >
      {isOn ? (
        <>
          <TimeField
            label="Quiet from"
            value={quiet_from}
            onSet={(from) => set({ quiet_from: from, quiet_to })}
          />
          to
          <TimeField
            label="Quiet until"
            value={quiet_to}
            onSet={(to) => set({ quiet_from, quiet_to: to })}
          />
        </>
      ) : null}
    </Switch>
  )
}

type TimeFieldProps = { label: string; value: string; onSet: (value: string) => void }

function TimeField({ label, value, onSet }: TimeFieldProps) {
  return (
    <input
      type="time"
      className="field control-l px-4"
      aria-label={label}
      // Uncontrolled, so typing isn't disturbed. A new value from the server replaces the field.
      key={value}
      defaultValue={value}
      onBlur={({ target }) => target.value !== value && onSet(target.value)}
    />
  )
}

function PauseLine() {
  const [, change] = useSettings()
  const until = usePause()
  const about = until === null ? 'In all your browsers' : `Until ${clockOf(new Date(until))}`
  return (
    <Line title="Pause notifications" about={about}>
      {until === null ? (
        <Button onClick={() => change({ pause_minutes: 60 })}>Pause for 1 hour</Button>
      ) : (
        <Button onClick={() => change({ pause_minutes: 0 })}>Resume</Button>
      )}
    </Line>
  )
}
