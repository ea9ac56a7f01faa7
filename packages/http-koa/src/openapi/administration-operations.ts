import {
  ConfirmOnBehalfUseCase,
  DeleteFeedUseCase,
  EndOnBehalfUseCase,
  EraseSubscriptionUseCase,
  GetEvidenceUseCase,
  GetFeedUseCase,
  GetSubscriptionUseCase,
  LiftSuppressionUseCase,
  ListEventsUseCase,
  ListFeedsUseCase,
  ListSubscriptionsUseCase,
  ListSuppressionsUseCase,
  PutFeedUseCase,
} from '@rollcall/core'
import { BODY_ERRORS, type DocumentedRoute, LIST_ERRORS, type Operation, PAGING } from './operation.ts'

type AdministrationRoute = Extract<
  DocumentedRoute,
  `${string} ${'/subscriptions' | '/suppressions' | '/feeds' | '/events'}${'' | `/{${string}`}`
>

const ON_BEHALF_ERRORS = [
  ...BODY_ERRORS,
  'InsufficientPermissions',
  'SubscriptionNotFound',
  'PreconditionFailed',
  'InvalidInput',
] as const

/** Feeds, subscriptions, suppressions and events, for who runs them. */
export const ADMINISTRATION_OPERATIONS = {
  'GET /feeds': {
    id: 'listFeeds',
    summary: 'Feeds, oldest first.',
    guarded: ListFeedsUseCase,
    query: PAGING,
    answers: { 200: 'FeedList' },
    conditional: 'read',
    errors: LIST_ERRORS,
  },
  'GET /feeds/{name}': {
    id: 'getFeed',
    summary: 'One feed.',
    guarded: GetFeedUseCase,
    answers: { 200: 'Feed' },
    conditional: 'read',
    errors: ['InsufficientPermissions', 'FeedNotFound'],
  },
  'PUT /feeds/{name}': {
    id: 'putFeed',
    summary: 'Create or replace a feed. What is left out is as for a new one, but for the wording, which then stays.',
    guarded: PutFeedUseCase,
    body: 'FeedForm',
    answers: { 201: 'Feed', 204: null },
    conditional: 'write',
    errors: [...BODY_ERRORS, 'InsufficientPermissions', 'PreconditionFailed', 'InvalidInput', 'FeedInUse'],
  },
  'DELETE /feeds/{name}': {
    id: 'deleteFeed',
    summary:
      "Delete a feed; not 'default'. One with subscriptions takes nothing any more until all of them are erased.",
    guarded: DeleteFeedUseCase,
    query: {
      subscriptions: "'erase' to erase its subscriptions, too; without it, a feed that has any stays.",
      reason: 'Why, for the audit trail.',
    },
    answers: { 204: null },
    conditional: 'write',
    errors: ['InsufficientPermissions', 'FeedNotFound', 'PreconditionFailed', 'InvalidInput', 'FeedInUse'],
  },
  'GET /subscriptions': {
    id: 'listSubscriptions',
    summary: 'Subscriptions, oldest first.',
    guarded: ListSubscriptionsUseCase,
    query: {
      feed: 'Only those of this feed.',
      status: "Only those that are 'pending', 'confirmed' or 'ended'.",
      email: 'Only those of this address, on all feeds.',
      ...PAGING,
    },
    answers: { 200: 'SubscriptionList' },
    conditional: 'read',
    errors: LIST_ERRORS,
  },
  'GET /subscriptions/{subscriptionId}': {
    id: 'getSubscription',
    summary: 'One subscription.',
    guarded: GetSubscriptionUseCase,
    answers: { 200: 'Subscription' },
    conditional: 'read',
    errors: ['InsufficientPermissions', 'SubscriptionNotFound'],
  },
  'DELETE /subscriptions/{subscriptionId}': {
    id: 'eraseSubscription',
    summary: 'Erase a subscription with everything that hangs on it. A suppression of its address stays.',
    guarded: EraseSubscriptionUseCase,
    query: { reason: "Why, for the audit trail; without the owner's name and address." },
    answers: { 204: null },
    conditional: 'write',
    errors: ['InsufficientPermissions', 'SubscriptionNotFound', 'PreconditionFailed', 'InvalidInput'],
  },
  'GET /subscriptions/{subscriptionId}/consent': {
    id: 'getConsent',
    summary: 'The whole ledger of what the owner agreed to, and how, oldest first.',
    guarded: GetEvidenceUseCase,
    answers: { 200: 'ConsentList' },
    conditional: 'read',
    errors: ['InsufficientPermissions', 'SubscriptionNotFound'],
  },
  'POST /subscriptions/{subscriptionId}/confirm': {
    id: 'confirmOnBehalf',
    summary: 'Confirm for an owner who said so elsewhere; again is as good as once.',
    guarded: ConfirmOnBehalfUseCase,
    body: 'OnBehalfForm',
    answers: { 200: 'Subscription' },
    conditional: 'write',
    errors: [...ON_BEHALF_ERRORS, 'SubscriptionEnded', 'AddressSuppressed'],
  },
  'POST /subscriptions/{subscriptionId}/end': {
    id: 'endOnBehalf',
    summary: 'End for an owner who asked for it elsewhere; again is as good as once.',
    guarded: EndOnBehalfUseCase,
    body: 'OnBehalfForm',
    answers: { 200: 'Subscription' },
    conditional: 'write',
    errors: ON_BEHALF_ERRORS,
  },
  'GET /suppressions': {
    id: 'listSuppressions',
    summary: 'Addresses that get no sign-up mail, by hash, in the order in which they were suppressed.',
    guarded: ListSuppressionsUseCase,
    query: PAGING,
    answers: { 200: 'SuppressionList' },
    conditional: 'read',
    errors: LIST_ERRORS,
  },
  'DELETE /suppressions/{address}': {
    id: 'liftSuppression',
    summary: 'Let sign-up mails go to an address again. It is named by the hash in the list, or as it is.',
    guarded: LiftSuppressionUseCase,
    answers: { 204: null },
    errors: ['InsufficientPermissions', 'SuppressionNotFound'],
  },
  'GET /events': {
    id: 'listEvents',
    summary: 'What happened in the last 30 days, as CloudEvents 1.0, in the order in which it came about.',
    guarded: ListEventsUseCase,
    query: {
      after: "The 'sequence' of the last event that is known, or the 'next' of the list before.",
      limit: PAGING.limit,
    },
    answers: { 200: 'EventList' },
    conditional: 'read',
    errors: LIST_ERRORS,
  },
} as const satisfies Record<AdministrationRoute, Operation>
