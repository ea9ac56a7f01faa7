import * as core from '@rollcall/core'
import {
  fieldMap,
  type GuardedOperation,
  ignoredColumns,
  list,
  one,
  type Route,
  reason,
  SORTING,
  subscriptions,
} from './operation.ts'
import * as s from './schema.ts'

/** Accounts: what is done to them, and their permanent deletion. */
export const USER_OPERATIONS = {
  'GET /users': list('listUsers', core.ListUsersUseCase, 'UserList', 'Users, oldest first unless sorted otherwise.', {
    query: {
      description:
        'Words that all must match: each is the beginning of the id, of a word of the name, of the e-mail address or of its domain. Case and accents do not matter.',
      schema: s.line(255),
      example: 'jane',
    },
    role: { description: 'Only users with this role.', schema: s.refer('Role') },
    suspended: { description: 'Only users that are suspended, or only the others.', schema: { type: 'boolean' } },
    inactive_since: {
      description:
        'Only users who were neither seen nor created on this day (UTC) or later; the oldest are then those who were longest not. Not together with `query`.',
      schema: { type: 'string', format: 'date' },
      example: '2026-01-31',
    },
    ...SORTING,
  }),
  'POST /users/import': {
    id: 'importUsers',
    summary:
      'Add users from a file of any length; existing users are not changed. The answer has a line for each refused row, and the summary as the last line, which names every column that was not used. What a line reports is already stored. Read the answer while you send.',
    guarded: core.ImportUsersUseCase,
    query: {
      dry_run: {
        description: 'Whether only to report what would happen to each row, and change nothing.',
        schema: { type: 'boolean', default: false },
      },
      map: fieldMap(core.USER_IMPORT_FIELDS, 'email:E-Mail,name:Full Name'),
      ignore: ignoredColumns(
        'Columns that decide nothing, or are not to. One about roles or access that is neither mapped nor ignored stops the import before anything is stored.',
      ),
    },
    body: 'user-import',
    answers: { 200: 'user-import-report' },
    errors: ['UnsupportedMediaType'],
  },
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
