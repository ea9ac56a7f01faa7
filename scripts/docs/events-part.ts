import { typeText } from './http-words.ts'
import { code, inLine, table } from './markdown.ts'
import { SCHEMAS } from './open-api.ts'

/** When each is recorded; the test compares them with the OpenAPI document. */
const WHEN: Readonly<Record<string, string>> = {
  'subscription.pending': 'somebody signed up, and has not confirmed yet; or an import brought it',
  'subscription.confirmed': 'the owner confirmed, or an operator did so on behalf of the owner',
  'subscription.ended':
    'the owner unsubscribed or refused, or an operator ended it; also when a form for one that had ended expired without a click',
  'subscription.erased': 'it was erased with everything that belongs to it; also when a pending one expired',
  'subscription.updated': 'name, locale or fields of a confirmed one changed',
  'subscription.blocked':
    'no mail may go to its address any more: an operator or a complaint of its owner stopped that',
  'subscription.unblocked': 'an operator lifted the block of its address',
  'subscription.undeliverable': 'mails to its address come back, so that none should be sent',
  'subscription.deliverable': 'mails to its address may be sent again',
  'user.created': 'a user was stored under a new id (by a directory perhaps suspended), or its deletion was undone',
  'user.updated': 'a user was stored again under the same id',
  'user.suspended': 'a user lost access, and keeps everything else',
  'user.resumed': 'a suspended user got access back',
  'user.deleted': 'access of the user ended; the data goes at once, or at the end of the grace period',
}

/** The types of events and their fields, from the OpenAPI document. */
export const eventsPart = (): string => {
  const { properties = {} } = SCHEMAS.Event ?? {}
  const types = (properties.type?.enum ?? []) as readonly string[]
  const rows = types.map((type) => {
    const when = WHEN[type]
    if (when === undefined) throw new Error(`scripts/docs/events-part.ts must say when ${type} is recorded.`)
    return [code(type), when]
  })
  const fields = Object.entries(properties)
    .filter(([name]) => name !== 'type')
    .map(([name, schema]) => [
      code(name),
      (typeText(schema) || 'text').replaceAll('](#', '](http.md#'),
      inLine(schema.description ?? ''),
    ])
  return `${table(['`type`', 'is recorded when'], rows)}${table(['field', 'type', 'meaning'], fields).trimEnd()}\n`
}
