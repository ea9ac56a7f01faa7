import * as core from '@rollcall/core/all'
import { ADMINISTRATION_OPERATIONS } from './administration-operations.ts'
import {
  after,
  BODY_ERRORS,
  type GuardedOperation,
  list,
  type Operation,
  one,
  PAGING,
  type Route,
  reason,
  subscriptions,
} from './operation.ts'
import { MANAGE_OPERATIONS, RECIPIENT_OPERATIONS } from './recipient-operations.ts'
import * as s from './schema.ts'
import { SERVICE_OPERATIONS } from './service-operations.ts'
import { TOKEN_OPERATIONS } from './token-operations.ts'

const page = (id: string, summary: string): Operation => ({ id, summary, answers: { 200: 'page' } })

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
  'GET /preferences': page('showPreferencesForm', 'The page where an address asks for the link to its preferences.'),
  'POST /preferences': {
    id: 'requestPreferences',
    summary: 'Have the link to its preferences mailed to an address. Whatever is known of it, the answer is the same.',
    body: 'PreferencesRequestForm',
    answers: { 200: 'Message' },
    orPage: true,
    errors: ['TooManyRequests'],
  },
  'GET /preferences/{token}': {
    id: 'showPreferences',
    summary: 'What is subscribed with the address that the link was mailed to. Changes nothing.',
    answers: { 200: 'Preferences' },
    orPage: true,
  },
  'POST /preferences/{token}': {
    id: 'changePreferences',
    summary: 'Subscribe to or end one feed, end or erase everything, or say whether mails may come again.',
    body: 'PreferencesForm',
    answers: { 200: 'PreferencesChange' },
    orPage: true,
  },
  'GET /preferences/{token}/export': {
    id: 'exportPreferences',
    summary: 'Everything that is stored about the address that the link was mailed to, to be kept as a file.',
    answers: { 200: 'StoredAboutAddress' },
  },
  ...MANAGE_OPERATIONS,
} as const satisfies Record<Route, Operation>

const USER_OPERATIONS = {
  'GET /users': list('listUsers', core.ListUsersUseCase, 'UserList', 'Users, oldest first.', {
    query: { description: 'Part of the id, the name or the e-mail address.', schema: s.line(255), example: 'jane' },
    role: { description: 'Only users with this role.', schema: s.refer('Role') },
    suspended: { description: 'Only users that are suspended, or only the others.', schema: { type: 'boolean' } },
    ...PAGING,
  }),
  'GET /users/{userId}': {
    id: 'getUser',
    summary: 'One user. A caller who may not know of it gets the same 404 as for an unknown user.',
    guarded: core.GetUserUseCase,
    self: true,
    hidden: true,
    answers: { 200: 'User' },
    conditional: 'read',
    errors: ['UserNotFound', 'UserDeleted'],
  },
  'PUT /users/{userId}': {
    id: 'putUser',
    summary: 'Create or replace a user.',
    guarded: core.PutUserUseCase,
    body: 'UserForm',
    answers: { 201: 'User', 204: null },
    conditional: 'write',
    errors: ['UserDeleted', 'LastAdministrator', 'EmailTaken'],
  },
  'PATCH /users/{userId}': {
    id: 'patchUser',
    summary: 'Change some fields of a user; what is left out stays as it is.',
    guarded: core.PatchUserUseCase,
    ...{ body: 'UserPatch', mergePatch: true, idempotent: true },
    answers: { 200: 'User' },
    conditional: 'write',
    errors: ['UserNotFound', 'UserDeleted', 'LastAdministrator', 'EmailTaken'],
  },
  'DELETE /users/{userId}': {
    id: 'deleteUser',
    summary: 'Delete a user permanently.',
    guarded: core.DeleteUserUseCase,
    query: {
      subscriptions: subscriptions('Whether to erase the subscriptions of the same address, too.'),
      reason: reason("Why, for the audit trail; without the user's name and address."),
      subscriptions_expected: {
        description: 'How many subscriptions of the same address the caller knows of; with any other number 412.',
        schema: { ...s.count, maximum: 999_999_999_999_999 },
      },
    },
    answers: { 204: null },
    conditional: 'write',
    errors: ['UserNotFound', 'UserDeleted', 'LastAdministrator'],
  },
  'GET /users/{userId}/export': {
    id: 'exportUser',
    summary: 'Everything that is stored about the user.',
    guarded: core.ExportUserUseCase,
    self: true,
    answers: { 200: 'UserExport' },
    errors: ['UserNotFound', 'UserDeleted'],
  },
  'GET /users/{userId}/erasure': one(
    'getErasureReceipt',
    core.GetErasureReceiptUseCase,
    'ErasureReceipt',
    'The receipt of a deletion: when, by which caller, why, what was erased, and what was kept.',
    'ReceiptNotFound',
  ),
  'POST /users/{userId}/restore': {
    id: 'restoreUser',
    summary: 'Undo a deletion within its grace period. Tokens issued before stay refused.',
    guarded: core.RestoreUserUseCase,
    body: 'ReasonForm',
    answers: { 200: 'User' },
    errors: ['UserNotFound', 'UserDeleted', 'EmailTaken'],
  },
  'POST /users/{userId}/suspend': {
    id: 'suspendUser',
    summary: 'Take access from a user: all its tokens are refused from now on, on every instance.',
    guarded: core.SuspendUserUseCase,
    ...{ body: 'ReasonForm', idempotent: true, conditional: 'write' },
    answers: { 200: 'User' },
    errors: ['UserNotFound', 'UserDeleted', 'LastAdministrator', 'SuspensionNotKept'],
  },
  'POST /users/{userId}/resume': {
    id: 'resumeUser',
    summary: 'Give access back to a suspended user. Tokens issued before stay refused.',
    guarded: core.ResumeUserUseCase,
    ...{ body: 'ReasonForm', idempotent: true, conditional: 'write' },
    answers: { 200: 'User' },
    errors: ['UserNotFound', 'UserDeleted', 'SuspensionNotKept'],
  },
} as const satisfies Record<Route, GuardedOperation>

/** Endpoints that need a token. */
export const GUARDED_OPERATIONS = {
  ...USER_OPERATIONS,
  ...ADMINISTRATION_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...RECIPIENT_OPERATIONS,
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
