import { kindsIn, type StoredSuppression, type Subscription, type Suppression, type User } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import type { Visit } from '../visit.ts'
import { badge, lines, time } from './parts.ts'

const KINDS = { pending: 'wait', confirmed: 'good', ended: 'off' } as const

export const statusBadge = ({ options }: Visit, status: Subscription['status']): Html =>
  badge(KINDS[status], options.texts.subscriptions.statuses[status])

/** Each cause by itself, first what the owner asked for. */
export const causesIn = (suppression: StoredSuppression | undefined): readonly Suppression[] => {
  const { owner, block } = suppression ? kindsIn(suppression) : {}
  return [owner, block].filter((each) => each !== undefined)
}

export const suppressionBadges = (
  suppression: StoredSuppression | undefined,
  said = (cause: string): string => cause,
): readonly Html[] => causesIn(suppression).map(({ cause }) => html`${badge('bad', said(cause))} `)

/** Since when each cause is known. */
export const suppressionFact = ({ options }: Visit, suppression: StoredSuppression | undefined) => {
  const causes = causesIn(suppression)
  if (causes.length === 0) return options.texts.address.none
  return lines(causes.map(({ cause, since }) => html`${cause}, ${time(since)}`))
}

/** Only what is out of the ordinary is said in a list. */
export const userBadge = ({ options }: Visit, { suspendedAt }: Pick<User, 'suspendedAt'>): Html => {
  const { user } = options.texts
  return suspendedAt === undefined ? badge('good', user.active) : badge('bad', user.suspended)
}
