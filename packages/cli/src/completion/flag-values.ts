import type { DescribedCommand, Value } from './described-command.ts'

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
