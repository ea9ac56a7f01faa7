import * as core from '@rollcall/core'
import { ADMINISTRATION_OPERATIONS } from './administration-operations.ts'
import { FACE_OPERATIONS } from './face-operations.ts'
import { FEEDBACK_OPERATIONS, PROVIDER_OPERATIONS } from './feedback-operations.ts'
import { after, BODY_ERRORS, list, type Operation, page, type Route } from './operation.ts'
import { PREFERENCES_OPERATIONS } from './preferences-operations.ts'
import { MANAGE_OPERATIONS, RECIPIENT_OPERATIONS } from './recipient-operations.ts'
import * as s from './schema.ts'
import { SERVICE_OPERATIONS } from './service-operations.ts'
import { STATS_OPERATIONS } from './stats-operations.ts'
import { TOKEN_OPERATIONS } from './token-operations.ts'
import { USER_OPERATIONS } from './user-operations.ts'

/** Requests of anybody, and of the owner of an address. */
const PUBLIC_OPERATIONS = {
  'POST /subscribe': {
    id: 'subscribe',
    summary: 'Request a subscription. The answer is the same whether or not the address is known.',
    body: 'SubscribeForm',
    answers: { 200: 'SignUpResult', 303: 'page' },
    orPage: true,
    errors: ['TooManyRequests'],
  },
  'GET /challenge': {
    id: 'getChallenge',
    summary: 'An ALTCHA challenge (version 2), to be solved before a form is accepted. 404 if challenges are off.',
    answers: { 200: 'Challenge' },
    errors: ['NotFound'],
  },
  'GET /challenge.js': {
    id: 'getChallengeScript',
    summary: 'The script that solves challenges on a page. 404 if challenges are off.',
    answers: { 200: 'script' },
    conditional: 'read',
    errors: ['NotFound'],
  },
  'GET /subscribe': {
    ...page('showSignUp', 'The sign-up page of a feed, or of several.'),
    query: {
      feed: { description: 'The name of a feed.', schema: { type: 'string', default: 'default' }, example: 'default' },
      feeds: {
        description: 'In place of `feed`: the names of several feeds, separated by spaces.',
        schema: s.text(),
        example: 'default',
      },
      return_to: {
        description: "Where the form sends the browser back to: exactly one of the feed's return URLs.",
        schema: s.text(),
      },
    },
    errors: ['FeedNotFound'],
  },
  'GET /confirm/{token}': page('showConfirm', 'A page with a button that confirms. Changes nothing.'),
  'POST /confirm/{token}': {
    id: 'confirm',
    summary: 'Confirm a pending subscription, or those that the mail was about. Idempotent.',
    idempotent: true,
    body: 'ConfirmationForm',
    bodyOptional: true,
    answers: { 200: 'Message', 303: 'page' },
    orPage: true,
  },
  'GET /refuse/{token}': page('showRefuse', "A page with a button that says 'this was not me'. Changes nothing."),
  'POST /refuse/{token}': {
    id: 'refuse',
    summary: 'End the subscription, and all such mails to the address.',
    answers: { 200: 'Message' },
    orPage: true,
    errors: BODY_ERRORS,
  },
  'GET /unsubscribe/{token}': page(
    'showUnsubscribe',
    'A page with a button that ends the subscription. Changes nothing.',
  ),
  'POST /unsubscribe/{token}': {
    id: 'unsubscribe',
    summary: 'End the subscription in one click (RFC 8058). The body is ignored, whatever its type.',
    idempotent: true,
    answers: { 200: 'Message' },
    orPage: true,
  },
  ...PREFERENCES_OPERATIONS,
  ...MANAGE_OPERATIONS,
  ...PROVIDER_OPERATIONS,
} as const satisfies Record<Route, Operation>

/** Endpoints that need a token. */
export const GUARDED_OPERATIONS = {
  ...USER_OPERATIONS,
  ...ADMINISTRATION_OPERATIONS,
  ...FACE_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...FEEDBACK_OPERATIONS,
  ...RECIPIENT_OPERATIONS,
  ...STATS_OPERATIONS,
  'GET /audit': list(
    'listAudit',
    core.ListAuditUseCase,
    'AuditList',
    'The audit trail, oldest first.',
    after("The 'next' of the page before."),
  ),
}

/** Endpoints. Each path also answers HEAD where it answers GET, OPTIONS, and TRACE unless that is off. */
export const OPERATIONS = {
  ...PUBLIC_OPERATIONS,
  ...GUARDED_OPERATIONS,
  ...SERVICE_OPERATIONS,
} as const satisfies Record<Route, Operation>

export type GuardedRoute = keyof typeof GUARDED_OPERATIONS
export type PublicRoute = Exclude<keyof typeof OPERATIONS, GuardedRoute>
