import type { Command, Option } from 'commander'

/** What a word that is typed may be. */
export type Value = 'file' | 'text' | readonly string[]

export interface DescribedOption {
  /** As they are typed: `-h`, `--help`. */
  readonly flags: readonly string[]
  readonly summary: string
  /** Undefined if nothing follows it. */
  readonly value: Value | undefined
}

/** One command as a shell sees it. */
export interface DescribedCommand {
  /** The words that lead to it; empty for the program itself. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly DescribedOption[]
  /** What may stand in place of its first argument. */
  readonly argument: Value | undefined
}

/** The command and all below it, as their help has them. */
export const describedCommands = (command: Command, path = ''): readonly DescribedCommand[] => {
  const help = command.createHelp()
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map(describedOption)
  const commands = command.commands.map((each) => ({ name: each.name(), summary: each.summary() }))
  const below = command.commands.flatMap((each) => describedCommands(each, `${path} ${each.name()}`.trim()))
  return [{ path, commands, options, argument: argumentOf(command) }, ...below]
}

const describedOption = (option: Option): DescribedOption => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined),
  summary: option.description,
  value: option.required || option.optional ? valueNamed(option.argChoices, option.flags) : undefined,
})

const argumentOf = (command: Command): Value | undefined => {
  const [first] = command.registeredArguments
  // What is helped with are the commands themselves.
  if (command.name() === 'help' && first !== undefined) return command.parent?.commands.map((each) => each.name()) ?? []
  return first === undefined ? undefined : valueNamed(first.argChoices, `<${first.name()}>`)
}

const valueNamed = (choices: readonly string[] | undefined, flags: string): Value => {
  if (choices !== undefined) return choices
  return flags.includes('<file>') ? 'file' : 'text'
}

export interface FlagValue {
  readonly flag: string
  /** A shell pattern for the words of a command, a space and the flag. */
  readonly pattern: string
  readonly value: Value
}

/** What follows each flag that something follows: by command, if it is not the same with every command. */
export const flagValues = (commands: readonly DescribedCommand[]): readonly FlagValue[] => {
  const places = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => (value === undefined ? [] : flags.map((flag) => ({ flag, path, value })))),
  )
  return [...Map.groupBy(places, ({ flag }) => flag)].flatMap(([flag, [first, ...others]]): readonly FlagValue[] => {
    if (first === undefined) return []
    if (others.every(({ value }) => String(value) === String(first.value)))
      return [{ flag, pattern: `*' ${flag}'`, value: first.value }]
    return [first, ...others].map(({ path, value }) => ({ flag, pattern: `'${path} ${flag}'`, value }))
  })
}
