import type { ConsoleOptions } from './console-options.ts'
import { at } from './parts/parts.ts'
import type { Visit } from './visit.ts'

type Place = keyof ConsoleOptions['texts']['nav']

/** What a path belongs to, by its first part. */
const PLACES: Readonly<Record<string, readonly [path: string, place: Place]>> = {
  addresses: ['/suppressions', 'suppressions'],
  audit: ['/audit', 'audit'],
  deletions: ['/deletions', 'deletions'],
  feedback: ['/health', 'health'],
  feeds: ['/feeds', 'feeds'],
  outbox: ['/health', 'health'],
  subscriptions: ['/subscriptions', 'subscriptions'],
  suppressions: ['/suppressions', 'suppressions'],
  tokens: ['/tokens', 'tokens'],
  transfer: ['/transfer', 'transfer'],
  undeliverable: ['/suppressions', 'suppressions'],
  users: ['/users', 'users'],
  webhooks: ['/webhooks', 'webhooks'],
}

/** Those whose things have a page by their name or id; in any other place, what follows is a deed. */
const WITH_THINGS: ReadonlySet<string> = new Set(['feeds', 'subscriptions', 'users', 'webhooks'])

/** The pages above this one, the topmost first. */
export const trailOf = ({ path, params, options }: Pick<Visit, 'path' | 'params' | 'options'>) => {
  const [, first = '', second, third] = path.split('/')
  const place = Object.hasOwn(PLACES, first) ? PLACES[first] : undefined
  if (place === undefined || path === place[0]) return []
  const [to, name] = place
  const trail: (readonly [path: string, text: string])[] = [[to, options.texts.nav[name]]]
  const thing = params.id ?? params.name
  if (WITH_THINGS.has(first) && second !== '-' && third !== undefined && thing !== undefined)
    trail.push([at(first, thing), thing])
  return trail
}
