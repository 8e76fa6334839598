// The completion script for zsh.

import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import {
  ASKED,
  aloneGroups,
  type CompletionModel,
  type Offer,
  quoted,
  SHELL_NAMES,
  takesFile,
  type WordValues,
} from './completion-model.ts'
import { GLOBAL_FLAGS } from './flags.ts'

export function zsh(model: CompletionModel): string {
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
  const asking = ASKED.map(
    (what) => `    ${what}) found=("\${(@f)$(${ask(what)} | tr '\\t' ':')}") ;;`,
  )
  const described = (offers: Offer[]) =>
    offers.map(({ word, summary }) => `    '${word}:${quoted(summary)}'`).join('\n')
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
  # The words of the command, whatever global flags stand among them; the rest are its own.
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

/** Words after which another word of the command may follow, as a pattern. */
function openWords(groups: string[]): string {
  return ["''", 'help', ...groups.flatMap((group) => [`'${group}'`, `'help ${group}'`])].join('|')
}

function zshSpec(spec: FlagSpec, known: string | undefined): string {
  const about = quoted(spec.about).replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', ' -')
  const many = spec.repeats ? '*' : ''
  if (spec.value === '') return `${many}${spec.flag}[${about}]`
  const action = known ?? (takesFile(spec) ? '_files' : ' ')
  return `${many}${spec.flag}=[${about}]:value:${action}`
}
