import { DeleteUserUseCase, GetUserUseCase, ListAuditUseCase, ListUsersUseCase, PutUserUseCase } from '@rollcall/core'
import { ADMINISTRATION_OPERATIONS } from './administration-operations.ts'
import { DELETION_OPERATIONS } from './deletion-operations.ts'
import { BODY_ERRORS, type Operation, PAGING, type Route } from './operation.ts'
import { PREFERENCES_OPERATIONS } from './preferences-operations.ts'
import { TRANSFER_OPERATIONS } from './transfer-operations.ts'
import { WEBHOOK_OPERATIONS } from './webhook-operations.ts'

export const OPERATIONS = {
  'POST /subscribe': {
    id: 'subscribe',
    summary: 'Request a subscription. The answer is the same whether or not the address is known.',
    body: 'SubscribeForm',
    answers: { 200: 'SubscriptionResult', 303: 'page' },
    orPage: true,
    errors: [...BODY_ERRORS, 'InvalidInput', 'TooManyRequests'],
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
    id: 'showSignUp',
    summary: 'The sign-up page of a feed.',
    query: {
      feed: "The name of a feed; by default 'default'.",
      return_to: "Where the form sends the browser back to: exactly one of the feed's return URLs.",
    },
    answers: { 200: 'page' },
    errors: ['FeedNotFound', 'InvalidInput'],
  },
  'GET /confirm/{token}': {
    id: 'showConfirm',
    summary: 'A page with a button that confirms. Changes nothing.',
    answers: { 200: 'page' },
    errors: ['LinkNotValid', 'TooManyRequests'],
  },
  'POST /confirm/{token}': {
    id: 'confirm',
    summary: 'Confirm a pending subscription. Idempotent.',
    answers: { 200: 'Message', 303: 'page' },
    orPage: true,
    errors: [...BODY_ERRORS, 'LinkNotValid', 'TooManyRequests'],
  },
  'GET /refuse/{token}': {
    id: 'showRefuse',
    summary: "A page with a button that says 'this was not me'. Changes nothing.",
    answers: { 200: 'page' },
    errors: ['LinkNotValid', 'TooManyRequests'],
  },
  'POST /refuse/{token}': {
    id: 'refuse',
    summary: 'End the subscription, and all such mails to the address.',
    answers: { 200: 'Message' },
    orPage: true,
    errors: [...BODY_ERRORS, 'LinkNotValid', 'TooManyRequests'],
  },
  'GET /unsubscribe/{token}': {
    id: 'showUnsubscribe',
    summary: 'A page with a button that ends the subscription. Changes nothing.',
    answers: { 200: 'page' },
    errors: ['LinkNotValid', 'TooManyRequests'],
  },
  'POST /unsubscribe/{token}': {
    id: 'unsubscribe',
    summary: 'End the subscription in one click (RFC 8058). The body is ignored, whatever its type.',
    answers: { 200: 'Message' },
    orPage: true,
    errors: ['LinkNotValid', 'TooManyRequests'],
  },
  ...PREFERENCES_OPERATIONS,
  'GET /users': {
    id: 'listUsers',
    summary: 'Users, oldest first.',
    guarded: ListUsersUseCase,
    query: { query: 'Part of the id, the name or the e-mail address.', role: 'Only users with this role.', ...PAGING },
    answers: { 200: 'UserList' },
    conditional: 'read',
    errors: ['InsufficientPermissions', 'MalformedRequest', 'InvalidInput'],
  },
  'GET /users/{userId}': {
    id: 'getUser',
    summary: 'One user. A caller who may not know of it gets the same 404 as for an unknown user.',
    guarded: GetUserUseCase,
    self: true,
    answers: { 200: 'User' },
    conditional: 'read',
    errors: ['UserNotFound', 'UserDeleted'],
  },
  'PUT /users/{userId}': {
    id: 'putUser',
    summary: 'Create or replace a user.',
    guarded: PutUserUseCase,
    body: 'UserForm',
    answers: { 201: 'User', 204: null },
    conditional: 'write',
    errors: [
      ...BODY_ERRORS,
      'InsufficientPermissions',
      'UserDeleted',
      'PreconditionFailed',
      'InvalidInput',
      'LastAdministrator',
      'EmailTaken',
    ],
  },
  'DELETE /users/{userId}': {
    id: 'deleteUser',
    summary: 'Delete a user permanently.',
    guarded: DeleteUserUseCase,
    query: {
      subscriptions: "'erase' to erase the subscriptions of the same address too; 'keep' where none is given.",
      reason: "Why, for the audit trail; without the user's name and address.",
      subscriptions_expected:
        'How many subscriptions of the same address the caller knows of; with any other number 412.',
    },
    answers: { 204: null },
    conditional: 'write',
    errors: [
      'InsufficientPermissions',
      'UserNotFound',
      'UserDeleted',
      'PreconditionFailed',
      'InvalidInput',
      'LastAdministrator',
    ],
  },
  ...DELETION_OPERATIONS,
  ...ADMINISTRATION_OPERATIONS,
  ...TRANSFER_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  'GET /audit': {
    id: 'listAudit',
    summary: 'The audit trail, oldest first.',
    guarded: ListAuditUseCase,
    query: { after: "The 'next' of the page before.", limit: PAGING.limit },
    answers: { 200: 'AuditList' },
    conditional: 'read',
    errors: ['InsufficientPermissions', 'MalformedRequest', 'InvalidInput'],
  },
  'GET /livez': {
    id: 'getLiveness',
    summary: 'Whether the process answers.',
    answers: { 200: 'Liveness' },
    errors: [],
  },
  'GET /readyz': {
    id: 'getReadiness',
    summary: 'Whether this instance does its work.',
    answers: { 200: 'Readiness', 503: 'Readiness' },
    errors: [],
  },
  'GET /.well-known/jwks.json': {
    id: 'getKeys',
    summary: "The public keys that verify this service's own tokens.",
    answers: { 200: 'KeySet' },
    conditional: 'read',
    errors: [],
  },
  'GET /openapi.json': {
    id: 'getOpenApi',
    summary: 'This document.',
    answers: { 200: 'OpenApi' },
    conditional: 'read',
    errors: [],
  },
} as const satisfies Record<Route, Operation>

/** Endpoints. Each path also answers OPTIONS and TRACE, which are not listed. */
export type DocumentedRoute = keyof typeof OPERATIONS
