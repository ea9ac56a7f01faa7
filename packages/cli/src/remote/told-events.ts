import type { EventType, Position, SuppressionCause, SuppressionRecord, ToldEvent } from '@rollcall/core'
import { asAddressHash } from '@rollcall/core'
import type { Told } from './told.ts'
import { toldSubscription } from './told-subscriptions.ts'
import { toldUser } from './told-users.ts'
import { unexpectedAnswer } from './unexpected-answer.ts'

export const toldEvent = (told: Told): ToldEvent => {
  const type = told.text('type') as EventType
  return {
    event: { type, subject: told.text('subject'), at: told.instant('time'), position: positionIn(told, 'sequence') },
    source: told.text('source'),
    subject: subjectIn(told.object('data'), type),
  }
}

/** Of a subject that is gone, or of another life, there is the id alone. */
const subjectIn = (data: Told, type: EventType): ToldEvent['subject'] => {
  if (!data.has('email')) return undefined
  return type.startsWith('user.')
    ? { kind: 'user', user: toldUser(data) }
    : { kind: 'subscription', subscription: toldSubscription(data) }
}

/** A place in a list, as cursors have it. */
export const positionIn = (told: Told, name: string): Position => {
  const position = Number(told.text(name))
  if (Number.isSafeInteger(position) && position >= 0) return position
  throw unexpectedAnswer(`'${name}'`)
}

export const toldSuppression = (told: Told): SuppressionRecord => {
  const address = asAddressHash(told.text('address'))
  if (address === undefined) throw unexpectedAnswer("'address'")
  return { address, cause: told.text('cause') as SuppressionCause, since: told.instant('since') }
}
