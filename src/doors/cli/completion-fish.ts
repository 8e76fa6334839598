// The completion script for fish.

import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import {
  aloneGroups,
  type CompletionModel,
  quoted,
  SHELL_NAMES,
  takesFile,
  type WordValues,
} from './completion-model.ts'
import { GLOBAL_FLAGS } from './flags.ts'

export function fish(model: CompletionModel): string {
  const { program, id, commands, groups, ask } = model
  const rule = (at: string) => `complete -c ${program} -n "__${id}_at${at === '' ? '' : ` ${at}`}"`
  const offered = (values: WordValues | undefined) => {
    if (values === undefined) return ''
    return 'of' in values ? ` -a '${values.of.join(' ')}'` : ` -a "(${ask(values.ask)})"`
  }
  const named = groups.map(([group]) => group).filter((group) => group !== '')
  const open = ['help', ...named.flatMap((name) => [`'${name}'`, `'help ${name}'`])]
  const itsOwn = aloneGroups(model).map(
    ([{ name }, words]) =>
      `        test "$found" = '${name}'; and not contains -- $word ${words.join(' ')}; and break`,
  )
  const lines = [
    `# ${program} completion for fish. Use: ${program} completion fish | source`,
    '# Whether the words so far are this command, whatever global flags stand among them.',
    `function __${id}_at`,
    '  set -l found',
    '  set -l skip 0',
    '  for word in (commandline -opc)[2..-1]',
    '    if test $skip = 1',
    '      set skip 0',
    '      continue',
    '    end',
    '    switch $word',
    '      case --db --agent',
    '        set skip 1',
    "      case '-*'",
    "      case '*'",
    ...itsOwn,
    '        set -a found $word',
    `        contains -- "$found" ${open.join(' ')}; or break`,
    '    end',
    '  end',
    '  test "$found" = "$argv"',
    'end',
    `complete -c ${program} -f`,
    ...['', 'help'].flatMap((help) =>
      groups.flatMap(([group, offers]) =>
        offers.map(
          ({ word, summary }) =>
            `${rule(`${help} ${group}`.trim())} -a ${word} -d '${quoted(summary)}'`,
        ),
      ),
    ),
    ...['', ...named].flatMap((at) => GLOBAL_FLAGS.map((spec) => rule(at) + flagPart(spec, ''))),
    ...commands.flatMap(({ name, flags, values }) =>
      flags.map((spec) => rule(name) + flagPart(spec, offered(values.get(spec.flag)))),
    ),
    ...commands.flatMap(({ name, word }) => (word ? `${rule(name)}${offered(word)}` : [])),
    ...commands.flatMap(({ name, isFile }) => (isFile ? `${rule(name)} -F` : [])),
    `${rule('completion')} -a '${SHELL_NAMES.join(' ')}'`,
  ]
  return `${lines.join('\n')}\n`
}

function flagPart(spec: FlagSpec, of: string): string {
  const value = spec.value === '' ? '' : takesFile(spec) ? ' -r -F' : ' -x'
  return ` -l ${spec.flag.slice(2)}${value}${of} -d '${quoted(spec.about)}'`
}
