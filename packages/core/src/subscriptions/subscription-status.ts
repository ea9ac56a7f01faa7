import { InvalidInput } from '../errors.ts'
import type { SubscriptionStatus } from './subscription.ts'

export const SUBSCRIPTION_STATUSES = ['pending', 'confirmed', 'ended'] as const satisfies readonly SubscriptionStatus[]

/**
 * A status, or undefined if none was given.
 * @throws {InvalidInput} there is no such status
 */
export const parseStatus = (text: string | undefined, field = 'status'): SubscriptionStatus | undefined => {
  if (text === undefined) return undefined
  const status = SUBSCRIPTION_STATUSES.find((one) => one === text)
  if (status !== undefined) return status
  throw new InvalidInput([{ field, message: `Use one of these: ${SUBSCRIPTION_STATUSES.join(', ')}.` }])
}
