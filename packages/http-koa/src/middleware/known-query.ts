import { closestName, InvalidInput } from '@rollcall/core'
import type { Handler } from '../exchange.ts'
import { formEntries } from '../reading/fields.ts'

/** Refuses a parameter that the endpoint does not have: without it, a misspelt `dry_run` would be a real run. */
export const requireKnownQuery =
  (known: readonly string[]): Handler =>
  (ctx, next) => {
    if (ctx.querystring === '') return next()
    const unknown = new Set(Array.from(formEntries(ctx.querystring), ([name]) => name))
    for (const name of known) unknown.delete(name)
    if (unknown.size === 0) return next()
    throw new InvalidInput([...unknown].map((field) => ({ field, message: problemWith(field, known) })))
  }

const problemWith = (name: string, known: readonly string[]): string => {
  const meant = closestName(name.toLowerCase(), known)
  return `There is no such parameter here. ${meant === undefined ? 'Leave it out.' : `Did you mean '${meant}'?`}`
}
