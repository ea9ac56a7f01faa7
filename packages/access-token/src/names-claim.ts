/** Reads names, such as those of roles, out of a token's claims. */
export type NamesClaim = (claims: object) => readonly string[]

/** The names at a claim of this name or, if the text begins with a slash, at this JSON pointer. */
export const namesAt = (where: string): NamesClaim => {
  const steps = parseJsonPointer(where) ?? [where]
  return (claims) => namesIn(valueAt(steps, claims))
}

/** Whether there is something at this place that lists no names. */
export const isUnclearAt = (where: string): ((claims: object) => boolean) => {
  const steps = parseJsonPointer(where) ?? [where]
  return (claims) => {
    const value = valueAt(steps, claims) ?? ''
    return typeof value !== 'string' && !isList(value)
  }
}

/**
 * The texts of an array, the words of one text, or the keys of an object, if it says of them what they are granted for
 * or `true`. Anything else names none.
 */
const namesIn = (value: unknown): readonly string[] => Object.freeze([...listed(value)])

const listed = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.split(' ').filter((name) => name !== '')
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string')
  if (!isContainer(value)) return []
  return Object.keys(value).filter((name) => value[name] === true || isPlain(value[name]))
}

const isPlain = (value: unknown): boolean => isContainer(value) && !Array.isArray(value)

/** What names at a provider are called here, each by none, one or several. */
export type NamesMap = ReadonlyMap<string, readonly string[]>

/**
 * Likewise, by a map of them: what is not on it names nothing. One text may be one name with spaces in it, as providers
 * have it that make an array of several groups only.
 */
export const namesBy = (where: string, map: NamesMap): NamesClaim => {
  const steps = parseJsonPointer(where) ?? [where]
  return (claims) => {
    const value = valueAt(steps, claims)
    const names = typeof value === 'string' ? [value.trim(), ...listed(value)] : listed(value)
    return Object.freeze([...new Set(names.flatMap((name) => map.get(name) ?? []))])
  }
}

/**
 * Pairs such as `/rollcall/admin=admin`, with commas between; a comma in a name is written `%2C`. Undefined if the text is
 * something else.
 */
export const parseNamesMap = (text: string): NamesMap | undefined => {
  const map = new Map<string, readonly string[]>()
  for (const pair of text.split(',')) {
    const [, name, ours] = PAIR.exec(pair) ?? []
    if (name === undefined || ours === undefined) return undefined
    const plain = name.replaceAll(/%2c/gi, ',')
    map.set(plain, [...(map.get(plain) ?? []), ours])
  }
  return map
}

// A name may have equals signs, as those of LDAP do; what stands for it here has none.
const PAIR = /^\s*(\S(?:.*\S)?)\s*=\s*([^\s=]+)\s*$/

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/** Whose a token is, by the claim of this name; undefined if it does not say. */
export const subjectOf = (
  claims: object,
  { subjectClaim = 'sub' }: { readonly subjectClaim?: string | undefined },
): string | undefined => {
  const value = valueAt([subjectClaim], claims)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/

/** The steps of a JSON pointer, or undefined if the text is not one. @see RFC 6901 */
export const parseJsonPointer = (text: string): readonly string[] | undefined =>
  POINTER.test(text)
    ? text
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : undefined

/** What these steps lead to, or undefined if one of them leads nowhere. */
const valueAt = (steps: readonly string[], document: unknown): unknown =>
  steps.reduce<unknown>(
    (value, step) => (isContainer(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    document,
  )

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
