import type { Command } from 'commander'
import {
  type DescribedCommand,
  type DescribedOption,
  describedCommands,
  type FlagValue,
  flagValues,
  type Value,
} from './described-command.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** What a shell completes every command, option and closed set of values by. */
export const completionScript = (shell: Shell, command: Command): string => {
  const commands = describedCommands(command)
  const [, ...words] = commands.map(({ path }) => path)
  const values = flagValues(commands)
  const flags = [...new Set(values.map(({ flag }) => flag))]
  const head = `# Completion of rollcall for ${shell}. Made by \`rollcall completion ${shell}\`.`
  return SCRIPTS[shell]({ head, commands, words, values, flags })
}

interface Program {
  readonly head: string
  readonly commands: readonly DescribedCommand[]
  /** The words that lead to each command. */
  readonly words: readonly string[]
  /** What follows a flag that something follows. */
  readonly values: readonly FlagValue[]
  readonly flags: readonly string[]
}

/** What may stand in place of an argument that is not a file: the names of commands, or a closed set. */
const wordsAt = ({ argument }: DescribedCommand, commands: readonly string[]): string =>
  [...commands, ...(Array.isArray(argument) ? argument : [])].join(' ')

/** A script that bash, from 3.2 on, completes `rollcall` by. */
const bashCompletion = ({ head, commands, words, values, flags }: Program): string => `${head}

_rollcall_words() {
  COMPREPLY=($(compgen -W "$1" -- "$word"))
}

_rollcall_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$word"))
}

_rollcall() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command='' at=1
  COMPREPLY=()
  # bash takes an equals sign for a word of its own.
  if [[ $word == '=' ]]; then
    word=''
  elif [[ $before == '=' ]]; then
    before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  while ((at < COMP_CWORD)); do
    case \${COMP_WORDS[at]} in
      ${flags.join(' | ')})
        at=$((at + 1))
        [[ \${COMP_WORDS[at]} == '=' ]] && at=$((at + 1))
        ;;
      -*) ;;
      *)
        case "$command \${COMP_WORDS[at]}" in
          ${words.map((path) => `' ${path}'`).join(' | ')}) command+=" \${COMP_WORDS[at]}" ;;
        esac
        ;;
    esac
    at=$((at + 1))
  done
  command=\${command# }
  case "$command $before" in
${values.map(bashValue).join('\n')}
  esac
  case $command in
${commands.map(bashCommand).join('\n')}
  esac
}

complete -F _rollcall rollcall
`

const bashValue = ({ pattern, value }: FlagValue): string => `    ${pattern})${bashOffer(value)} return ;;`

const bashOffer = (value: Value): string => {
  if (value === 'text') return ''
  return value === 'file' ? ' _rollcall_files;' : ` _rollcall_words '${value.join(' ')}';`
}

const bashCommand = (command: DescribedCommand): string => {
  const { path, commands, options, argument } = command
  const flags = options.flatMap((option) => option.flags).join(' ')
  const names = commands.map(({ name }) => name)
  const instead = argument === 'file' ? '_rollcall_files' : `_rollcall_words '${wordsAt(command, names)}'`
  return `    '${path}') if [[ $word == -* ]]; then _rollcall_words '${flags}'; else ${instead}; fi ;;`
}

/** A script that zsh completes `rollcall` by: as a file `_rollcall` in its `fpath`, or read by `source`. */
const zshCompletion = ({ head, commands, words, values, flags }: Program): string => `#compdef rollcall
${head}

_rollcall() {
  local command='' before=\${words[CURRENT - 1]}
  local -i at=2
  local -a found flags
  if [[ \${words[CURRENT]} == --*=* ]]; then
    before=\${words[CURRENT]%%=*}
    compset -P 1 '*='
  fi
  while ((at < CURRENT)); do
    case \${words[at]} in
      (${flags.join('|')}) at+=1 ;;
      (-*) ;;
      (*)
        case "$command \${words[at]}" in
          (${words.map((path) => `' ${path}'`).join('|')}) command+=" \${words[at]}" ;;
        esac
        ;;
    esac
    at+=1
  done
  command=\${command# }
  case "$command $before" in
${values.map(zshValue).join('\n')}
  esac
  case $command in
${commands.map(zshCommand).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe option flags
  elif ((\${#found})); then
    _describe command found
  fi
}

if [[ \${funcstack[1]} == _rollcall ]]; then
  _rollcall "$@"
else
  compdef _rollcall rollcall
fi
`

const zshValue = ({ pattern, value }: FlagValue): string => `    (${pattern}) ${zshOffer(value)}; return ;;`

const zshOffer = (value: Value): string => {
  if (value === 'text') return '_message value'
  return value === 'file' ? '_files' : `compadd -- ${value.join(' ')}`
}

const zshCommand = (command: DescribedCommand): string => {
  const { path, commands, options, argument } = command
  const names = commands.map(({ name, summary }) => zshDescribed(name, summary))
  const flags = options.flatMap(({ flags, summary }) => flags.map((flag) => zshDescribed(flag, summary)))
  const files = argument === 'file' ? `\n      [[ \${words[CURRENT]} == -* ]] || _files` : ''
  return `    ('${path}')
      found=(${wordsAt(command, names)})
      flags=(${flags.join(' ')})${files}
      ;;`
}

const zshDescribed = (word: string, summary: string): string => `'${`${word}:${summary}`.replaceAll("'", "'\\''")}'`

const fishCompletion = ({ head, commands, words, flags }: Program): string => `${head}

function __rollcall_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l command
    set -l skip no
    for word in $words
        if test $skip = yes
            set skip no
            continue
        end
        switch $word
            case ${flags.join(' ')}
                set skip yes
            case '-*'
            case '*'
                if contains -- (string join ' ' -- $command $word) ${words.map(quoted).join(' ')}
                    set -a command $word
                end
        end
    end
    test "$command" = "$argv"
end

complete -c rollcall -f
${commands.flatMap(fishCommand).join('\n')}
`

const fishCommand = ({ path, commands, options, argument }: DescribedCommand): string[] => {
  const at = `complete -c rollcall -n ${quoted(`__rollcall_at ${path}`.trim())}`
  return [
    ...commands.map(({ name, summary }) => `${at} -a ${name} -d ${quoted(summary)}`),
    ...(argument === 'file' ? [`${at} -F`] : []),
    ...(Array.isArray(argument) ? [`${at} -a ${quoted(argument.join(' '))}`] : []),
    ...options.map((option) => `${at} ${spelled(option)}${following(option.value)} -d ${quoted(option.summary)}`),
  ]
}

const spelled = ({ flags }: DescribedOption): string =>
  flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ')

const following = (value: Value | undefined): string => {
  if (value === undefined) return ''
  if (value === 'file') return ' -r -F'
  return value === 'text' ? ' -x' : ` -x -a ${quoted(value.join(' '))}`
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const SCRIPTS: Readonly<Record<Shell, (program: Program) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}
