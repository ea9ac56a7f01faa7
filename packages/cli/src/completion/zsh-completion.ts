import { type DescribedCommand, type DescribedOption, withAllBelow } from './described-command.ts'
import { type FlagValue, flagsOf, flagValues, patternOf } from './flag-values.ts'

/** A script that zsh completes `rollcall` by: as a file `_rollcall` in its `fpath`, or read by `source`. */
export const zshCompletion = (program: DescribedCommand): string => {
  const commands = withAllBelow(program)
  const values = flagValues(commands)
  return `#compdef rollcall
# Completion of rollcall for zsh. Made by \`rollcall completion zsh\`.

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
      (${flagsOf(values).join('|')}) at+=1 ;;
      (-*) ;;
      (*)
        case "$command \${words[at]}" in
          (${program.commands
            .flatMap(withAllBelow)
            .map(({ path }) => `' ${path}'`)
            .join('|')}) command+=" \${words[at]}" ;;
        esac
        ;;
    esac
    at+=1
  done
  command=\${command# }
  case "$command $before" in
${values.map(valueLine).join('\n')}
  esac
  case $command in
${commands.map(commandLines).join('\n')}
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
}

const valueLine = (flag: FlagValue): string => `    (${patternOf(flag)}) ${offer(flag)}; return ;;`

const offer = ({ value }: FlagValue): string => {
  if (value === 'text') return '_message value'
  return value === 'file' ? '_files' : `compadd -- ${value.join(' ')}`
}

const commandLines = ({ path, commands, options, argument }: DescribedCommand): string => {
  const words = commands.map(({ name, summary }) => described(name, summary))
  const others = argument === undefined || typeof argument === 'string' ? words : [...words, ...argument]
  const files = argument === 'file' ? `\n      [[ \${words[CURRENT]} == -* ]] || _files` : ''
  return `    ('${path}')
      found=(${others.join(' ')})
      flags=(${options.flatMap(describedFlags).join(' ')})${files}
      ;;`
}

const describedFlags = ({ flags, summary }: DescribedOption): string[] => flags.map((flag) => described(flag, summary))

const described = (word: string, summary: string): string => `'${`${word}:${summary}`.replaceAll("'", "'\\''")}'`
