import { domainToASCII } from 'node:url'
import { InvalidInput, parseEmailAddress } from '@rollcall/core'
import * as v from 'valibot'

/** The key by which two addresses are one. */
export const addressKeyOf = (email: string): string =>
  parseEmailAddress(email, { toAscii: (domain) => domainToASCII(domain) || undefined }).key

/** A text. Its known values are not checked: a server of another version may have more, and they are shown as they are. */
export const text = <T extends string = string>() => v.custom<T>((value) => typeof value === 'string')

/** A text that `parse` takes; it throws InvalidInput where it does not. */
export const parsed = <T>(parse: (text: string) => T) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): T => {
      try {
        return parse(dataset.value)
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error
        addIssue()
        return NEVER
      }
    }),
  )

/** Undefined where the member is null or missing. */
export const optional = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    v.nullish(schema, null),
    v.transform((value): v.InferOutput<Schema> | undefined => value ?? undefined),
  )

export const emailAddress = parsed((email) => {
  addressKeyOf(email)
  return email
})
export const wholeNumber = v.pipe(v.number(), v.safeInteger())
export const instant = v.pipe(v.string(), v.transform(Date.parse), v.number())
export const timestamps = { created_at: instant, updated_at: instant }
/** A place in a list, as cursors have it. */
export const position = v.pipe(v.string(), v.transform(Number), v.safeInteger(), v.minValue(0))

/** `created_at` for `createdAt`. */
type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? `_${Lowercase<First>}` : First}${Snake<Rest>}`
  : ''

/** A schema may check a union of literals as a string. */
type Widened<T> = T extends string ? string : T

type MembersOf<T> = { readonly [Name in keyof T as Snake<Name>]: v.GenericSchema<unknown, Widened<T[Name]>> }

/** An object whose members have the same names here, but for how words are joined. */
export const record = <T>(members: MembersOf<T>) => {
  const names = Object.keys(members).map((wire) => ({
    wire,
    own: wire.replace(/_(.)/g, (_, first) => first.toUpperCase()),
  }))
  return v.pipe(
    v.object(members as v.ObjectEntries),
    v.transform((value) => Object.fromEntries(names.map(({ wire, own }) => [own, value[wire]])) as T),
  )
}
