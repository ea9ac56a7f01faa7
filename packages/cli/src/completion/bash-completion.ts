import { type DescribedCommand, withAllBelow } from './described-command.ts'
import { type FlagValue, flagsOf, flagValues, patternOf } from './flag-values.ts'

/** A script that bash, from 3.2 on, completes `rollcall` by. */
export const bashCompletion = (program: DescribedCommand): string => {
  const commands = withAllBelow(program)
  const values = flagValues(commands)
  return `# Completion of rollcall for bash. Made by \`rollcall completion bash\`.

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
      ${flagsOf(values).join(' | ')})
        at=$((at + 1))
        [[ \${COMP_WORDS[at]} == '=' ]] && at=$((at + 1))
        ;;
      -*) ;;
      *)
        case "$command \${COMP_WORDS[at]}" in
          ${program.commands
            .flatMap(withAllBelow)
            .map(({ path }) => `' ${path}'`)
            .join(' | ')}) command+=" \${COMP_WORDS[at]}" ;;
        esac
        ;;
    esac
    at=$((at + 1))
  done
  command=\${command# }
  case "$command $before" in
${values.map(valueLine).join('\n')}
  esac
  case $command in
${commands.map(commandLines).join('\n')}
  esac
}

complete -F _rollcall rollcall
`
}

const valueLine = (flag: FlagValue): string => `    ${patternOf(flag)})${offer(flag)} return ;;`

const offer = ({ value }: FlagValue): string => {
  if (value === 'text') return ''
  return value === 'file' ? ' _rollcall_files;' : ` _rollcall_words '${value.join(' ')}';`
}

const commandLines = ({ path, commands, options, argument }: DescribedCommand): string => {
  const flags = options.flatMap((option) => option.flags)
  const words = commands.map(({ name }) => name)
  const others = argument === undefined || typeof argument === 'string' ? words : [...words, ...argument]
  const instead = argument === 'file' ? '_rollcall_files' : `_rollcall_words '${others.join(' ')}'`
  return `    '${path}') if [[ $word == -* ]]; then _rollcall_words '${flags.join(' ')}'; else ${instead}; fi ;;`
}
