import type { Subscription, User } from '@rollcall/core'
import type { Html } from '@rollcall/platform-node'
import type { Visit } from '../visit.ts'
import { badge } from './parts.ts'

const KINDS = { pending: 'wait', confirmed: 'good', ended: 'off' } as const

export const statusBadge = ({ options }: Visit, status: Subscription['status']): Html =>
  badge(KINDS[status], options.texts.subscriptions.statuses[status])

/** Only what is out of the ordinary is said in a list. */
export const userBadge = ({ options }: Visit, { suspendedAt }: Pick<User, 'suspendedAt'>): Html => {
  const { user } = options.texts
  return suspendedAt === undefined ? badge('good', user.active) : badge('bad', user.suspended)
}
