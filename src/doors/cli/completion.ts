// Shell completion, from the catalogue: commands, their flags, and the values a flag may take.

import { CATALOGUE } from '../../ops/catalogue.ts'
import type { Operation } from '../../ops/operation.ts'
import { type FlagSpec, GLOBAL_FLAGS } from './flags.ts'
import { commandFlags } from './help.ts'

type Command = { name: string; summary: string; flags: FlagSpec[] }

const LOCAL: Command[] = [
  { name: 'help', summary: 'Explain the commands.', flags: [] },
  { name: 'version', summary: 'Print the version.', flags: [] },
  { name: 'completion', summary: 'Print a completion script.', flags: [] },
]

export const SHELLS = { bash, zsh, fish }

export async function completion(shell: keyof typeof SHELLS): Promise<string> {
  const ops = await Promise.all(Object.values(CATALOGUE).map((load) => load()))
  const commands = (ops as unknown as Operation[]).map((op) => {
    const own = commandFlags(op)
    const names = new Set(own.map((spec) => spec.flag))
    const flags = [...own, ...GLOBAL_FLAGS.filter((spec) => !names.has(spec.flag))]
    return { name: op.name, summary: op.summary, flags }
  })
  return SHELLS[shell]([...commands, ...LOCAL])
}

const takesFile = ({ value }: FlagSpec) => value.startsWith('PATH')

function bash(commands: Command[]): string {
  const cases = commands.map(
    ({ name, flags }) => `    ${name}) flags="${flags.map((spec) => spec.flag).join(' ')}" ;;`,
  )
  const values = valueCases(commands).map(
    ([flag, of]) => `    ${flag}) COMPREPLY=($(compgen -W "${of.join(' ')}" -- "$cur")); return ;;`,
  )
  const files = fileFlags(commands)
  return `# inbox completion for bash. Use: eval "$(inbox completion bash)"
_inbox() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" flags="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      --db|--agent) ((i++)) ;;
      -*) ;;
      *) command="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$command $prev" in
${values.join('\n')}
  esac
  case "$prev" in
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    completion) COMPREPLY=($(compgen -W "${Object.keys(SHELLS).join(' ')}" -- "$cur")); return ;;
  esac
  if [[ -z "$command" ]]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$cur"))
    return
  fi
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$flags" -- "$cur"))
}
complete -o default -F _inbox inbox
`
}

function zsh(commands: Command[]): string {
  const described = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`)
  const cases = commands.map(({ name, flags }) => {
    const args = flags.map((spec) => `'${zshSpec(spec)}'`)
    return `    ${name}) _arguments ${args.join(' ')} '*: :_files' ;;`
  })
  return `#compdef inbox
# inbox completion for zsh. Use: eval "$(inbox completion zsh)"
_inbox() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  words=("$command" "\${(@)words[3,-1]}")
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _inbox inbox
`
}

function zshSpec(spec: FlagSpec): string {
  const about = quoted(spec.about).replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', ' -')
  const many = spec.repeats ? '*' : ''
  if (spec.value === '') return `${many}${spec.flag}[${about}]`
  const action = spec.of ? `(${spec.of.join(' ')})` : takesFile(spec) ? '_files' : ' '
  return `${many}${spec.flag}=[${about}]:value:${action}`
}

function fish(commands: Command[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const lines = [
    '# inbox completion for fish. Use: inbox completion fish | source',
    'complete -c inbox -f',
    ...commands.map(
      ({ name, summary }) =>
        `complete -c inbox -n "not __fish_seen_subcommand_from ${names}" -a ${name} -d '${quoted(summary)}'`,
    ),
    ...commands.flatMap(({ name, flags }) =>
      flags.map((spec) => {
        const value = spec.value === '' ? '' : takesFile(spec) ? ' -r -F' : ' -x'
        const of = spec.of ? ` -a '${spec.of.join(' ')}'` : ''
        return `complete -c inbox -n "__fish_seen_subcommand_from ${name}" -l ${spec.flag.slice(2)}${value}${of} -d '${quoted(spec.about)}'`
      }),
    ),
    `complete -c inbox -n "__fish_seen_subcommand_from completion" -a '${Object.keys(SHELLS).join(' ')}'`,
  ]
  return `${lines.join('\n')}\n`
}

function quoted(text: string): string {
  return text.replaceAll("'", '’')
}

/** `command flag` -> the values that flag takes there. */
function valueCases(commands: Command[]): [string, readonly string[]][] {
  return commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ flag, of }): [string, readonly string[]][] =>
      of === undefined ? [] : [[`'${name} ${flag}'`, of]],
    ),
  )
}

function fileFlags(commands: Command[]): string[] {
  return [
    ...new Set(commands.flatMap(({ flags }) => flags.filter(takesFile).map((spec) => spec.flag))),
  ]
}
