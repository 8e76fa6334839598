import { useSettings } from '../../shell/settings.ts'
import { isOn, useAllCommands } from '../../ui/commands.ts'
import { Key, MOD } from '../../ui/key.tsx'
import { Group, Line, Switch } from './controls.tsx'

export function Keyboard() {
  const [{ single_keys }, change] = useSettings()
  const commands = useAllCommands().filter(({ keys }) => keys !== '' && isOn(keys))
  const groups = [...Map.groupBy(commands, ({ group }) => group)]
  return (
    <>
      <Group title="Shortcuts">
        <Switch
          title="Single-key shortcuts"
          about={`J, K, A and so on. When off, only ${MOD}+K, arrows, Escape, Enter and Tab work`}
          isOn={single_keys}
          onChange={(next) => change({ single_keys: next })}
        />
      </Group>
      {groups.map(([group, own]) => (
        <Group key={group} title={group}>
          {[...Map.groupBy(own, ({ title }) => title)].map(([title, all]) => (
            <Line key={title} title={title}>
              {[...new Set(all.map(({ keys }) => keys))].map((keys) => (
                <span key={keys}>
                  <span className="spoken">{keys}</span>
                  <Key name={keys} />
                </span>
              ))}
            </Line>
          ))}
        </Group>
      ))}
      <p className="faint mt-8">{`Each screen has its own keys. Press ${isOn('?') ? '? to list' : `${MOD}+K to find`} them there.`}</p>
    </>
  )
}
