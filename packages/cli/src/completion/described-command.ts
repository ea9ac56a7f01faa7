import type { Argument, Command, Option } from 'commander'

/** What a word that is typed may be. */
export type Value = 'file' | 'text' | readonly string[]

export interface DescribedOption {
  /** As they are typed: `-h`, `--help`. */
  readonly flags: readonly string[]
  readonly summary: string
  /** Undefined where nothing follows it. */
  readonly value: Value | undefined
}

/** One command as a shell sees it. */
export interface DescribedCommand {
  /** The words that lead to it; empty for the program itself. */
  readonly path: string
  /** The last of them. */
  readonly name: string
  readonly summary: string
  readonly commands: readonly DescribedCommand[]
  readonly options: readonly DescribedOption[]
  /** What may stand in place of its first argument. */
  readonly argument: Value | undefined
}

/** The command with everything below it, as its help has it. */
export const describedCommand = (command: Command, path = ''): DescribedCommand => {
  const help = command.createHelp()
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
  return {
    path,
    name: command.name(),
    summary: command.summary(),
    commands: command.commands.map((each) => describedCommand(each, `${path} ${each.name()}`.trim())),
    options: options.map(describedOption),
    argument: argumentOf(command),
  }
}

/** The command and all below it. */
export const withAllBelow = (command: DescribedCommand): readonly DescribedCommand[] => [
  command,
  ...command.commands.flatMap(withAllBelow),
]

const describedOption = (option: Option): DescribedOption => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined),
  summary: option.description,
  value: option.required || option.optional ? valueNamed(option.argChoices, option.flags) : undefined,
})

const argumentOf = (command: Command): Value | undefined => {
  const [first] = command.registeredArguments
  // What is helped with are the commands themselves.
  if (command.name() === 'help' && first !== undefined) return command.parent?.commands.map((each) => each.name()) ?? []
  return first === undefined ? undefined : valueNamed(first.argChoices, placeholder(first))
}

const placeholder = (argument: Argument): string => `<${argument.name()}>`

const valueNamed = (choices: readonly string[] | undefined, flags: string): Value => {
  if (choices !== undefined) return choices
  return flags.includes('<file>') ? 'file' : 'text'
}

/** What follows a flag. */
export interface FlagValue {
  readonly flag: string
  /** The command where it is so; undefined where it is so with every command. */
  readonly path: string | undefined
  readonly value: Value
}

/** What follows each flag that something follows. */
export const flagValues = (commands: readonly DescribedCommand[]): readonly FlagValue[] => {
  const byFlag = new Map<string, { readonly path: string; readonly value: Value }[]>()
  for (const { path, options } of commands)
    for (const { flags, value } of options)
      if (value !== undefined)
        for (const flag of flags) byFlag.set(flag, [...(byFlag.get(flag) ?? []), { path, value }])
  return [...byFlag].flatMap(([flag, places]): readonly FlagValue[] => {
    const [first] = places
    const everywhere = first !== undefined && new Set(places.map(({ value }) => String(value))).size === 1
    return everywhere ? [{ flag, path: undefined, value: first.value }] : places.map((place) => ({ flag, ...place }))
  })
}

/** The flags, each once. */
export const flagsOf = (values: readonly FlagValue[]): readonly string[] => [...new Set(values.map(({ flag }) => flag))]

/** A shell pattern for the words of the command, a space and the flag. */
export const patternOf = ({ path, flag }: FlagValue): string =>
  path === undefined ? `*' ${flag}'` : `'${path} ${flag}'`
