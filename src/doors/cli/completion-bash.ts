// The completion script for bash.

import {
  type CompletionModel,
  SHELL_NAMES,
  takesFile,
  type WordValues,
} from './completion-model.ts'

type Commands = CompletionModel['commands']

export function bash({ program, id, commands, groups, ask }: CompletionModel): string {
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
  // A first word may also be a command by itself; then flags follow it as well.
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
