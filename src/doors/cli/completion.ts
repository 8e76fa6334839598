// Shell completion, from the catalogue: commands, their flags, and the values a flag may take.

import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import { GLOBAL_FLAGS } from './flags.ts'
import { commandFlags } from './help.ts'
import { operations } from './listing.ts'

/** The word with which the scripts ask for ids, and how they ask. */
export const IDS = 'ids'
const ASK = `inbox completion ${IDS} 2>/dev/null`

type Command = { name: string; summary: string; flags: FlagSpec[]; takesThread?: boolean }

const LOCAL: Command[] = [
  { name: 'help', summary: 'Explain the commands.', flags: [] },
  { name: 'version', summary: 'Print the version.', flags: [] },
  { name: 'completion', summary: 'Print a completion script.', flags: [] },
]

export const SHELLS = { bash, zsh, fish }

export async function completion(shell: keyof typeof SHELLS): Promise<string> {
  const commands = (await operations()).map((op) => {
    const own = commandFlags(op, { all: true })
    const names = new Set(own.map((spec) => spec.flag))
    const flags = [...own, ...GLOBAL_FLAGS.filter((spec) => !names.has(spec.flag))]
    const [first] = Object.entries(op.fields).filter(([, field]) => field.positional)
    return { name: op.name, summary: op.summary, flags, takesThread: first?.[0] === 'thread' }
  })
  return SHELLS[shell]([...commands, ...LOCAL])
}

/** First words that several commands share, each with the second words it takes. */
function groupsOf(commands: Command[]): [string, Command[]][] {
  const pairs = commands.filter(({ name }) => name.includes(' '))
  return [...Map.groupBy(pairs, ({ name }) => name.split(' ')[0] as string)]
}

/** The words that a command line may begin with. */
function firstWords(commands: Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] as string))]
}

function second({ name }: Command): string {
  return name.split(' ')[1] ?? ''
}

const takesFile = ({ value }: FlagSpec) => value.startsWith('PATH')

function bash(commands: Command[]): string {
  const cases = commands.map(
    ({ name, flags }) => `    "${name}") flags="${flags.map((spec) => spec.flag).join(' ')}" ;;`,
  )
  const values = valueCases(commands).map(
    ([flag, of]) => `    ${flag}) COMPREPLY=($(compgen -W "${of.join(' ')}" -- "$cur")); return ;;`,
  )
  const files = fileFlags(commands)
  const groups = groupsOf(commands)
  const words: [string, string[]][] = [
    ['', firstWords(commands)],
    ...groups.map(([group, members]): [string, string[]] => [group, members.map(second)]),
  ]
  // A first word may also be a command by itself; then flags follow it as well.
  const offers = words.map(([command, of]) => {
    const offer = `COMPREPLY=($(compgen -W "${of.join(' ')}" -- "$cur")); return`
    const isCommand = commands.some(({ name }) => name === command)
    return `    "${command}") ${isCommand ? `if [[ "$cur" != -* ]]; then ${offer}; fi` : offer} ;;`
  })
  const alone = groups
    .filter(([group]) => commands.some(({ name }) => name === group))
    .map(([group, members]) => {
      const pairs = members.map(({ name }) => `"${name}"`).join('|')
      return `    ${pairs}) ;;\n    "${group} "*) command="${group}" ;;`
    })
  const isGroup = groups.map(([group]) => group).join('|') || "''"
  const ofThreads = commands.filter(({ takesThread }) => takesThread).map(({ name }) => `"${name}"`)
  return `# inbox completion for bash. Use: eval "$(inbox completion bash)"
_inbox() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" flags="" i
  local help=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      --db|--agent) ((i++)) ;;
      -*) ;;
      *)
        if [[ -z "$command$help" && "\${COMP_WORDS[i]}" == help ]]; then help=1; continue; fi
        command="\${command:+$command }\${COMP_WORDS[i]}"
        case "$command" in ${isGroup}) ;; *) break ;; esac ;;
    esac
  done
  case "$command" in
${alone.join('\n')}
  esac
  case "$command $prev" in
${values.join('\n')}
  esac
  case "$prev" in
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    completion) COMPREPLY=($(compgen -W "${Object.keys(SHELLS).join(' ')}" -- "$cur")); return ;;
  esac
  case "$command" in
${offers.join('\n')}
  esac
  [[ -n "$help" ]] && return
  if [[ "$cur" != -* && "$prev" == "\${command##* }" ]]; then
    case "$command" in
      ${ofThreads.join('|') || "''"}) COMPREPLY=($(compgen -W "$(${ASK} | cut -f1)" -- "$cur")); return ;;
    esac
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
  const groups = groupsOf(commands)
  const cases = commands.flatMap(({ name, flags, takesThread }) => {
    if (flags.length === 0) return []
    const args = flags.map((spec) => `'${zshSpec(spec)}'`)
    const words = takesThread ? "'1: :_inbox_ids' '*: :'" : "'*: :_files'"
    return `    '${name}') _arguments ${args.join(' ')} ${words} ;;`
  })
  const described = (ones: { name: string; summary: string }[]) =>
    ones.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`).join('\n')
  const firsts = [
    ...commands.filter(({ name }) => !name.includes(' ')),
    ...groups
      .filter(([group]) => !commands.some(({ name }) => name === group))
      .map(([name, members]) => ({ name, summary: members.map(second).join(', ') })),
  ]
  const seconds = groups.map(([group, members]) => {
    const offered = described(members.map((one) => ({ name: second(one), summary: one.summary })))
    return `    '${group}'|'help ${group}')
      commands=(
${offered}
      )
      ;;`
  })
  return `#compdef inbox
# inbox completion for zsh. Use: eval "$(inbox completion zsh)"
_inbox_ids() {
  local -a ids
  ids=("\${(@f)$(${ASK} | tr '\\t' ':')}")
  _describe id ids
}
_inbox() {
  local -a commands found rest
  local word skip=''
  local -i i
  # The words of the command, whatever global flags stand among them; the rest are its own.
  for (( i = 2; i < CURRENT; i++ )); do
    word="$words[i]"
    if [[ -n "$skip" ]]; then
      skip=''
    elif [[ "$word" == --(db|agent) ]]; then
      skip="$word"
    elif [[ "$word" != -* ]]; then
      case "$found" in
        ${openWords(groups)}) found+=("$word"); continue ;;
      esac
    fi
    rest+=("$word")
  done
  rest+=("\${(@)words[CURRENT,-1]}")
  case "$found" in
    ''|help)
      commands=(
${described(firsts)}
      )
      ;;
${seconds.join('\n')}
  esac
  if (( $#commands )); then
    case "$skip$words[CURRENT]" in
      --db*) _files ;;
      --agent*) ;;
      -*) compadd -- ${GLOBAL_FLAGS.map(({ flag }) => flag).join(' ')} ;;
      *) _describe command commands ;;
    esac
    return
  fi
  local command="$found"
  words=("$command" "\${(@)rest}")
  (( CURRENT -= $#found ))
  case "$command" in
    completion) compadd -- ${Object.keys(SHELLS).join(' ')} ;;
${cases.join('\n')}
  esac
}
compdef _inbox inbox
`
}

/** Words after which another word of the command may follow, as a pattern. */
function openWords(groups: [string, Command[]][]): string {
  const names = groups.map(([group]) => group)
  return ["''", 'help', ...names, ...names.map((name) => `'help ${name}'`)].join('|')
}

function zshSpec(spec: FlagSpec): string {
  const about = quoted(spec.about).replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', ' -')
  const many = spec.repeats ? '*' : ''
  if (spec.value === '') return `${many}${spec.flag}[${about}]`
  const action = spec.of ? `(${spec.of.join(' ')})` : takesFile(spec) ? '_files' : ' '
  return `${many}${spec.flag}=[${about}]:value:${action}`
}

function fish(commands: Command[]): string {
  const groups = groupsOf(commands)
  const offer = (at: string, word: string, summary: string) =>
    `complete -c inbox -n "__inbox_at${at}" -a ${word} -d '${quoted(summary)}'`
  const names = groups.map(([group]) => group)
  const open = ['help', ...names, ...names.map((name) => `'help ${name}'`)]
  const lines = [
    '# inbox completion for fish. Use: inbox completion fish | source',
    '# Whether the words so far are this command, whatever global flags stand among them.',
    'function __inbox_at',
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
    '        set -a found $word',
    `        contains -- "$found" ${open.join(' ')}; or break`,
    '    end',
    '  end',
    '  test "$found" = "$argv"',
    'end',
    'complete -c inbox -f',
    ...['', ' help'].flatMap((at) => [
      ...commands
        .filter(({ name }) => !name.includes(' '))
        .map(({ name, summary }) => offer(at, name, summary)),
      ...groups
        .filter(([group]) => !commands.some(({ name }) => name === group))
        .map(([group, members]) => offer(at, group, members.map(second).join(', '))),
      ...groups.flatMap(([group, members]) =>
        members.map((one) => offer(`${at} ${group}`, second(one), one.summary)),
      ),
    ]),
    ...['', ...names].flatMap((at) => GLOBAL_FLAGS.map((spec) => fishFlag(at, spec))),
    ...commands.flatMap(({ name, flags }) => flags.map((spec) => fishFlag(name, spec))),
    ...commands
      .filter(({ takesThread }) => takesThread)
      .map(({ name }) => `complete -c inbox -n "__inbox_at ${name}" -a "(${ASK})"`),
    `complete -c inbox -n "__inbox_at completion" -a '${Object.keys(SHELLS).join(' ')}'`,
  ]
  return `${lines.join('\n')}\n`
}

function fishFlag(at: string, spec: FlagSpec): string {
  const value = spec.value === '' ? '' : takesFile(spec) ? ' -r -F' : ' -x'
  const of = spec.of ? ` -a '${spec.of.join(' ')}'` : ''
  return `complete -c inbox -n "__inbox_at ${at}" -l ${spec.flag.slice(2)}${value}${of} -d '${quoted(spec.about)}'`
}

function quoted(text: string): string {
  return text.replaceAll("'", '’')
}

/** Maps `command flag` to the values that the flag takes there. */
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
