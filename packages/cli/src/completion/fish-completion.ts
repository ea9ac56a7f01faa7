import { type DescribedCommand, type DescribedOption, type Value, withAllBelow } from './described-command.ts'
import { flagsOf, flagValues } from './flag-values.ts'

/** A script that fish completes `rollcall` by. */
export const fishCompletion = (program: DescribedCommand): string => {
  const commands = withAllBelow(program)
  const paths = program.commands.flatMap(withAllBelow).map(({ path }) => path)
  return `# Completion of rollcall for fish. Made by \`rollcall completion fish\`.

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
            case ${flagsOf(flagValues(commands)).join(' ')}
                set skip yes
            case '-*'
            case '*'
                if contains -- (string join ' ' -- $command $word) ${paths.map(quoted).join(' ')}
                    set -a command $word
                end
        end
    end
    test "$command" = "$argv"
end

complete -c rollcall -f
${commands.flatMap(linesOf).join('\n')}
`
}

const linesOf = ({ path, commands, options, argument }: DescribedCommand): string[] => {
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
