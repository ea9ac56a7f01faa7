import {
  ConfirmOnBehalfUseCase,
  consentEntry,
  DELIVERABILITY_STATES,
  EndOnBehalfUseCase,
  EraseSubscriptionUseCase,
  ExplainSubscriptionsUseCase,
  GetConsentUseCase,
  GetSubscriptionUseCase,
  ListSubscriptionsUseCase,
  publishedExplanation,
  publishedSubscription,
  SUBSCRIPTION_STATUSES,
  type Subscription as SubscriptionEntity,
} from '@rollcall/core'
import type { Resource } from '../conditional-request.ts'
import { operation, resource } from '../operation/operation.ts'
import { parameter, reason, SORTING } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { DONE, listed, result, shown, sortedListed } from './record-of.ts'
import { consent, Subscription } from './subscription-record.ts'

export const OF_FEED_AND_STATUS = {
  feed: parameter('Only those of this feed, which must exist.', w.resourceName, 'default'),
  status: parameter('Only those with this status.', s.wordOf(SUBSCRIPTION_STATUSES)),
}

const SubscriptionList = s.named(
  'SubscriptionList',
  w.sortedListOf(Subscription, {
    total: s.said(
      w.count,
      'How many the whole list has; not there if it is narrowed down to an address or by a query.',
    ),
  }),
)

const Explanation = s.named(
  'Explanation',
  s.record({
    email: s.text('As it was asked for.'),
    suppression: s.orNull(s.record(w.suppression), 'Why and since when mails to the address are stopped.'),
    deliverability: s.oneOf(['ok', ...DELIVERABILITY_STATES]),
    subscriptions: s.arrayOf(Subscription),
    timeline: s.arrayOf(
      s.record({
        at: w.time,
        what: s.text('For a person.'),
        feed: w.textOrNull(),
        message_id: w.textOrNull(),
        until: w.timeOrNull('When it is over, or goes on.'),
      }),
      'In order of time, as far back as it is kept.',
    ),
    conclusion: s.text('One sentence: what would make a mail go out now.'),
  }),
)

const OnBehalfForm = s.named(
  'OnBehalfForm',
  s.form({ reason: w.visibleLine(500, "Why, for the audit trail; without the owner's name and address.") }),
)

// No date: the name and locale of a pending subscription may change while all its times stay the same.
const SUBSCRIPTION: Resource<SubscriptionEntity, s.Value<typeof Subscription>> = { record: publishedSubscription }

const ON_BEHALF = {
  confirm: {
    summary: 'Confirm for an owner who said so elsewhere; again is as good as once.',
    guarded: ConfirmOnBehalfUseCase,
    errors: ['SubscriptionNotFound', 'SubscriptionEnded', 'AddressSuppressed'],
  },
  end: {
    summary: 'End for an owner who asked for it elsewhere; again is as good as once.',
    guarded: EndOnBehalfUseCase,
    errors: ['SubscriptionNotFound'],
  },
} as const

export const subscriptions = resource('Subscriptions', [
  operation('GET /subscriptions', {
    id: 'listSubscriptions',
    summary: 'Subscriptions, oldest first unless sorted otherwise.',
    guarded: ListSubscriptionsUseCase,
    query: {
      ...OF_FEED_AND_STATUS,
      email: parameter('Only those of this address, on all feeds.', w.email, 'jane@example.com'),
      query: parameter(
        'An id; or words that all must match, each the beginning of the address, of its domain or of a word of the name. Case and accents do not matter. A page of a search may have fewer than its limit, or none, before the end: go on with its next.',
        w.line(255),
        'jane',
      ),
      ...SORTING,
    },
    answers: { 200: SubscriptionList },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      sortedListed(await useCases.listSubscriptions.execute(query, caller), publishedSubscription),
  }),
  operation('GET /subscriptions/explain', {
    id: 'explainSubscriptions',
    summary:
      'Why an address got a mail, or none: what is known of it in order of time, and one sentence that says what would make a mail go out now. Each question is in the audit trail.',
    guarded: ExplainSubscriptionsUseCase,
    query: { email: parameter('The address.', w.email, 'jane@example.com', { required: true }) },
    answers: { 200: Explanation },
    conditional: 'read',
    handle: async ({ useCases, query: { email = '' }, caller }) =>
      result(publishedExplanation(await useCases.explainSubscriptions.execute({ email }, caller))),
  }),
  operation('GET /subscriptions/{subscriptionId}', {
    id: 'getSubscription',
    summary: 'One subscription.',
    guarded: GetSubscriptionUseCase,
    answers: { 200: Subscription },
    conditional: 'read',
    errors: ['SubscriptionNotFound'],
    handle: async ({ useCases, path, caller }) =>
      shown(SUBSCRIPTION, await useCases.getSubscription.execute(path, caller)),
  }),
  operation('DELETE /subscriptions/{subscriptionId}', {
    id: 'eraseSubscription',
    summary: 'Erase a subscription with everything that hangs on it. A suppression of its address stays.',
    guarded: EraseSubscriptionUseCase,
    query: { reason: reason("Why, for the audit trail; without the owner's name and address.") },
    answers: { 204: null },
    conditional: 'write',
    errors: ['SubscriptionNotFound'],
    handle: async ({ useCases, path, query, caller, precondition }) => {
      await useCases.eraseSubscription.execute({ ...path, ...query, precondition: precondition(SUBSCRIPTION) }, caller)
      return DONE
    },
  }),
  operation('GET /subscriptions/{subscriptionId}/consent', {
    id: 'getConsent',
    summary: 'The whole ledger of what the owner agreed to, and how, oldest first.',
    guarded: GetConsentUseCase,
    answers: { 200: s.named('ConsentList', w.listOf(s.named('Consent', s.record(consent)))) },
    conditional: 'read',
    errors: ['SubscriptionNotFound'],
    handle: async ({ useCases, path, caller }) => {
      const { consents } = await useCases.getConsent.execute(path, caller)
      return listed({ items: consents, next: undefined }, consentEntry)
    },
  }),
  ...(['confirm', 'end'] as const).map((change) =>
    operation(`POST /subscriptions/{subscriptionId}/${change}`, {
      id: `${change}OnBehalf`,
      ...ON_BEHALF[change],
      body: OnBehalfForm,
      example: { reason: 'asked for on the telephone' },
      idempotent: true,
      answers: { 200: Subscription },
      conditional: 'write',
      handle: async ({ useCases, path, body, caller, precondition }) => {
        const command = { ...path, ...body, precondition: precondition(SUBSCRIPTION) }
        return result(
          publishedSubscription((await useCases[`${change}OnBehalf`].execute(command, caller)).subscription),
        )
      },
    }),
  ),
])
