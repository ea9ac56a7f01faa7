import { type FieldProblem, InvalidInput } from '../errors.ts'
import { DAY, type Instant, parseTime } from '../instant.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import { readAll } from '../read-all.ts'
import { parseEmailAddress } from '../subscriptions/email-address.ts'
import { asSubscriptionId, type SubscriptionId } from '../subscriptions/subscription-id.ts'
import { parseOneOf, parseText } from '../text.ts'
import type { Bounce } from './deliverability.ts'
import type { FeedbackKind } from './feedback-store.ts'
import { judgeFailure } from './judge-failure.ts'

/** What a sender, or its provider, reports of one mail, as it came. */
export interface FeedbackItem {
  readonly kind: string
  /** For a bounce without a status: whether it was final. By default as the first digit of the status says. */
  readonly permanent?: boolean | undefined
  /** The id of the subscription that the mail was sent for. */
  readonly subscription?: string | undefined
  /** If no subscription is known; for administrators. */
  readonly address?: string | undefined
  readonly status?: string | undefined
  /** The words of the server that refused the mail, if a provider has them. */
  readonly diagnostic?: string | undefined
  /** When it came about: by default now. */
  readonly at?: string | undefined
  /** What the provider calls this report; the same one is taken once. */
  readonly providerId?: string | undefined
}

/** What is reported: of a provider also that a mail arrived. */
export type ReportKind = FeedbackKind | 'delivery'

/** The same, read and found good. */
export interface Feedback extends Bounce {
  readonly kind: ReportKind
  readonly about: { readonly subscription: SubscriptionId } | { readonly addressKey: string }
  readonly providerId: string | undefined
}

export const FEEDBACK_KINDS = ['bounce', 'complaint'] as const satisfies readonly FeedbackKind[]
export const PROVIDER_KINDS = [...FEEDBACK_KINDS, 'delivery'] as const satisfies readonly ReportKind[]

/** The most items of one report. */
export const MOST_ITEMS = 500
/** Feedback about an older mail says little about the address as it is now. */
export const OLDEST_FEEDBACK = 14 * DAY
const LONGEST_PROVIDER_ID = 255
export const ENHANCED_STATUS = /^[245]\.(?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,2})$/

interface Circumstances {
  readonly now: Instant
  readonly domainNames: DomainNames
  readonly kinds: readonly ReportKind[]
  /** Whether an address may stand for a subscription. */
  readonly byAddress: boolean
}

/**
 * Reads every item, so that the caller gets all problems at once.
 * @throws {InvalidInput} with fields such as `items.3.status`
 */
export const parseFeedback = (items: readonly FeedbackItem[], circumstances: Circumstances): readonly Feedback[] => {
  if (items.length < 1 || items.length > MOST_ITEMS)
    throw new InvalidInput([{ field: 'items', message: `Give 1 to ${MOST_ITEMS} items.` }])
  const problems: FieldProblem[] = []
  const feedback: Feedback[] = []
  for (const [place, item] of items.entries()) {
    try {
      feedback.push(parseItem(item, circumstances))
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      for (const { field, message } of error.details) problems.push({ field: `items.${place}.${field}`, message })
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems)
  return feedback
}

const parseItem = (item: FeedbackItem, { now, domainNames, kinds, byAddress }: Circumstances): Feedback => {
  const { kind, about, at, reported, providerId } = readAll({
    kind: () => parseOneOf('kind', item.kind, kinds),
    about: () => parseAbout(item, domainNames, byAddress),
    at: () => parseTime(item.at ?? '', 'at', now),
    reported: () => parseStatus(item.status),
    providerId: () => (item.providerId ? parseText('provider_id', item.providerId, LONGEST_PROVIDER_ID) : undefined),
  })
  const permanent = item.permanent ?? reported?.startsWith('5') ?? false
  const judgement = judgeFailure({ permanent, status: reported, diagnostic: item.diagnostic })
  // A clock that is a little ahead; from far ahead it is refused.
  return { kind, about, ...judgement, at: Math.min(at ?? now, now), providerId }
}

const parseAbout = (
  { subscription, address }: FeedbackItem,
  domainNames: DomainNames,
  byAddress: boolean,
): Feedback['about'] => {
  const invalid = (field: string, message: string) => new InvalidInput([{ field, message }])
  if (address !== undefined) {
    if (!byAddress) throw invalid('address', "Give 'subscription': only administrators may name addresses.")
    if (subscription !== undefined) throw invalid('address', "Give either 'subscription' or 'address'.")
    return { addressKey: parseEmailAddress(address, domainNames, 'address').key }
  }
  if (subscription === undefined) throw invalid('subscription', 'Give the id of a subscription.')
  const id = asSubscriptionId(subscription)
  if (id === undefined)
    throw invalid('subscription', 'Give the id of a subscription, as the list of recipients has it.')
  return { subscription: id }
}

const parseStatus = (status: string | undefined): string | undefined => {
  if (!status) return undefined
  if (ENHANCED_STATUS.test(status)) return status
  throw new InvalidInput([{ field: 'status', message: 'Give an enhanced status code such as 5.1.1, or leave it out.' }])
}
