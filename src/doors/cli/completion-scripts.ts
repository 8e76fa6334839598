// The completion scripts for bash, zsh and fish, all made from the same model of the commands.

import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import { GLOBAL_FLAGS } from './flags.ts'
import type { ProgramName } from './program.ts'

/**
 * Subcommands the completion scripts run to list values from the store. Each prints one value per line with a short
 * description.
 */
export const STORE_VALUES = ['ids', 'agents', 'requests', 'pushes'] as const

export type StoreValues = (typeof STORE_VALUES)[number]

export type WordValues = { of: readonly string[] } | { ask: StoreValues }

export type Command = {
  name: string
  summary: string
  flags: FlagSpec[]
  /** The values of the argument after the command. */
  word?: WordValues | undefined
  /** Whether that argument is a file or a folder. */
  isFile?: boolean
  values: ReadonlyMap<string, WordValues>
}

export type Offer = { word: string; summary: string }

export type CompletionModel = {
  program: ProgramName
  /** The program name, with only characters that are allowed in the name of a shell function. */
  id: string
  commands: Command[]
  /** Each group of commands with the words that can follow it. The first group is '', which covers all commands. */
  groups: [string, Offer[]][]
  ask: (what: StoreValues) => string
}

export const SHELL_NAMES = ['bash', 'zsh', 'fish'] as const

type Commands = CompletionModel['commands']

export function makeBashScript({ program, id, commands, groups, ask }: CompletionModel): string {
  const cases = commands.map(
    ({ name, flags }) => `    "${name}") flags="${flags.map((spec) => spec.flag).join(' ')}" ;;`,
  )
  const offered = (values: WordValues) =>
    'of' in values ? values.of.join(' ') : `$(${ask(values.ask)} | cut -f1)`
  const replies = (cases: [string, WordValues][]) =>
    [...Map.groupBy(cases, ([, values]) => offered(values))].map(
      ([words, of]) =>
        `    ${of.map(([word]) => `"${word}"`).join('|')}) COMPREPLY=($(compgen -W "${words}" -- "$cur")); return ;;`,
    )
  const ofFlags = replies(
    commands.flatMap(({ name, values }) =>
      [...values].map(([flag, of]): [string, WordValues] => [`${name} ${flag}`, of]),
    ),
  )
  const ofWords = replies(
    commands.flatMap(({ name, word }): [string, WordValues][] => (word ? [[name, word]] : [])),
  )
  const files = fileFlags(commands)
  const isCommand = (group: string) => commands.some(({ name }) => name === group)
  // A group's name can also be a command, in which case flags can follow it as well.
  const offers = groups.map(([group, of]) => {
    const words = of.map(({ word }) => word).join(' ')
    const offer = `COMPREPLY=($(compgen -W "${words}" -- "$cur")); return`
    return `    "${group}") ${isCommand(group) ? `if [[ "$cur" != -* ]]; then ${offer}; fi` : offer} ;;`
  })
  const named = groups.filter(([group]) => group !== '')
  const alone = named
    .filter(([group]) => isCommand(group))
    .map(([group, of]) => {
      const pairs = of.map(({ word }) => `"${group} ${word}"`).join('|')
      return `    ${pairs}) ;;\n    "${group} "*) command="${group}" ;;`
    })
  const isGroup = named.map(([group]) => `"${group}"`).join('|') || "''"
  return `# ${program} completion for bash. Use: eval "$(${program} completion bash)"
_${id}() {
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
${ofFlags.join('\n')}
  esac
  case "$prev" in
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    completion) COMPREPLY=($(compgen -W "${SHELL_NAMES.join(' ')}" -- "$cur")); return ;;
  esac
  case "$command" in
${offers.join('\n')}
  esac
  [[ -n "$help" ]] && return
  if [[ "$cur" != -* && "$prev" == "\${command##* }" ]]; then
    case "$command" in
${ofWords.join('\n')}
    esac
  fi
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$flags" -- "$cur"))
}
complete -o default -F _${id} ${program}
`
}

function fileFlags(commands: Commands): string[] {
  return [
    ...new Set(commands.flatMap(({ flags }) => flags.filter(takesFile).map((spec) => spec.flag))),
  ]
}

export function makeZshScript(model: CompletionModel): string {
  const { program, id, commands, groups, ask } = model
  const action = (values: WordValues) =>
    'of' in values ? `(${values.of.join(' ')})` : `{_${id}_offer ${values.ask}}`
  const cases = commands.flatMap(({ name, flags, word, isFile, values }) => {
    if (flags.length === 0) return []
    const args = flags.map((spec) => {
      const known = values.get(spec.flag)
      return `'${zshSpec(spec, known && action(known))}'`
    })
    const words = word ? `'1: :${action(word)}' '*: :'` : `'*: :${isFile ? '_files' : ''}'`
    return `    '${name}') _arguments ${args.join(' ')} ${words} ;;`
  })
  const asking = STORE_VALUES.map(
    (what) => `    ${what}) found=("\${(@f)$(${ask(what)} | tr '\\t' ':')}") ;;`,
  )
  const described = (offers: Offer[]) =>
    offers.map(({ word, summary }) => `    '${word}:${escapeQuotes(summary)}'`).join('\n')
  const [first, ...named] = groups
  const alone = aloneGroups(model)
  const aloneNames = alone.map(([{ name }]) => `'${name}'`).join('|') || "''"
  const itsOwn = alone.flatMap(([{ name }, words]) => [
    `          ${words.map((word) => `'${name} ${word}'`).join('|')}) ;;`,
    `          '${name} '*) closed=1; rest+=("$word"); continue ;;`,
  ])
  const ofFiles = alone.filter(([{ isFile }]) => isFile).map(([{ name }]) => `'${name}'`)
  const further = named.map(
    ([group, offers]) => `    '${group}'|'help ${group}')
      commands=(
${described(offers)}
      )
      ;;`,
  )
  return `#compdef ${program}
# ${program} completion for zsh. Use: eval "$(${program} completion zsh)"
_${id}_offer() {
  local -a found
  case "$1" in
${asking.join('\n')}
  esac
  _describe "$1" found
}
_${id}() {
  local -a commands found rest
  local word skip='' closed=''
  local -i i
  # The words of the command, skipping global flags between them; rest has the command's arguments.
  for (( i = 2; i < CURRENT; i++ )); do
    word="$words[i]"
    if [[ -n "$skip" ]]; then
      skip=''
    elif [[ "$word" == --(db|agent) ]]; then
      skip="$word"
    elif [[ "$word" != -* && -z "$closed" ]]; then
      case "$found $word" in
${itsOwn.join('\n')}
      esac
      case "$found" in
        ${openWords(named.map(([group]) => group))}) found+=("$word"); continue ;;
      esac
    elif [[ "$word" != --(json|help) ]]; then
      # A flag of a command whose name also begins others.
      case "$found" in ${aloneNames}) closed=1 ;; esac
    fi
    rest+=("$word")
  done
  rest+=("\${(@)words[CURRENT,-1]}")
  [[ -n "$closed" ]] || case "$found" in
    ''|help)
      commands=(
${described(first?.[1] ?? [])}
      )
      ;;
${further.join('\n')}
  esac
  if (( $#commands )); then
    case "$skip$words[CURRENT]" in
      --db*) _files; return ;;
      --agent*) return ;;
      -*)
        case "$found" in
          ${aloneNames}) ;;
          *) compadd -- ${GLOBAL_FLAGS.map(({ flag }) => flag).join(' ')}; return ;;
        esac
        ;;
      *)
        _describe command commands
        case "$found" in ${ofFiles.join('|') || "''"}) _files ;; esac
        return
        ;;
    esac
  fi
  local command="$found"
  words=("$command" "\${(@)rest}")
  (( CURRENT -= $#found ))
  case "$command" in
    completion) compadd -- ${SHELL_NAMES.join(' ')} ;;
${cases.join('\n')}
  esac
}
compdef _${id} ${program}
`
}

/** A pattern for the words after which a command can continue with another word. */
function openWords(groups: string[]): string {
  return ["''", 'help', ...groups.flatMap((group) => [`'${group}'`, `'help ${group}'`])].join('|')
}

function zshSpec(spec: FlagSpec, known: string | undefined): string {
  const about = escapeQuotes(spec.about)
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replaceAll(':', ' -')
  const many = spec.repeats ? '*' : ''
  if (spec.value === '') return `${many}${spec.flag}[${about}]`
  const action = known ?? (takesFile(spec) ? '_files' : ' ')
  return `${many}${spec.flag}=[${about}]:value:${action}`
}

export function makeFishScript(model: CompletionModel): string {
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
            `${rule(`${help} ${group}`.trim())} -a ${word} -d '${escapeQuotes(summary)}'`,
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
  return ` -l ${spec.flag.slice(2)}${value}${of} -d '${escapeQuotes(spec.about)}'`
}

/** Groups that are also commands, such as `push`, with the words that turn them into another command. */
function aloneGroups({ commands, groups }: CompletionModel): [Command, string[]][] {
  return groups.flatMap(([group, offers]): [Command, string[]][] => {
    const command = commands.find(({ name }) => name === group)
    return command ? [[command, offers.map(({ word }) => word)]] : []
  })
}

/** Replaces single quotes, because the scripts put text in single quotes. */
function escapeQuotes(text: string): string {
  return text.replaceAll("'", '’')
}

const takesFile = ({ value }: FlagSpec) => value.startsWith('PATH')
