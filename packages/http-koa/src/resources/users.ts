import {
  camelCased,
  DAY,
  DeleteUserUseCase,
  ExportUserUseCase,
  GetErasureReceiptUseCase,
  GetUserUseCase,
  ImportUsersUseCase,
  ListHeldUsersUseCase,
  ListUsersUseCase,
  PatchUserUseCase,
  PutUserUseCase,
  publishedHeldUser,
  publishedReceipt,
  publishedUser,
  RestoreUserUseCase,
  ResumeUserUseCase,
  SuspendUserUseCase,
  USER_IMPORT_FIELDS,
  type User as UserEntity,
  userState,
} from '@rollcall/core'
import type { Resource } from '../conditional-request.ts'
import { operation, resource } from '../operation/operation.ts'
import { keepOrErase, PAGING, parameter, reason, SORTING, wholeNumber } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { endOfImport, importing, mapped, refusedRow, reportOf } from './files.ts'
import { created, DONE, result, shown, sortedListed } from './record-of.ts'
import { sendUserExport, UserExport } from './user-export.ts'
import { User } from './user-record.ts'

const UserForm = s.named(
  'UserForm',
  s.form({ email: w.email, name: w.personName, roles: w.roles('In a form: separated by spaces.') }),
)
const UserPatch = s.named(
  'UserPatch',
  s.record({}, { email: w.email, name: w.personName, roles: w.roles('All that the user has from then on.') }),
)
const REASON = {
  body: s.named(
    'ReasonForm',
    s.form({}, { reason: w.line(500, 'The reason for the audit trail; without a name or an address.') }),
  ),
  bodyOptional: true,
  example: { reason: 'asked for on the telephone' },
}

const UserImportRow = s.named(
  'UserImportRow',
  s.record(
    { id: w.opaqueId, email: w.email },
    {
      name: s.orNull(w.personName),
      roles: s.anything({
        description: 'A list, or a text with spaces between them.',
        oneOf: [w.textOrNull(), w.roles()].map(s.jsonOf),
      }),
    },
  ),
)
const IMPORT_REPORT = reportOf(
  'UserImportReportLine',
  s.named('RefusedUserRow', refusedRow(['EmailTaken', 'InvalidInput', 'MalformedRow', 'UserDeleted', 'UserExists'])),
  s.named(
    'UserImportSummary',
    s.record({ rows: w.count, imported: w.count, refused: w.count, interrupted: s.flag() }, endOfImport),
  ),
)

const ErasureReceipt = s.named(
  'ErasureReceipt',
  s.record({
    user_id: s.text(),
    deleted_at: w.time,
    deleted_by: w.textOrNull(),
    role_source: w.textOrNull(),
    channel: w.textOrNull(),
    request_id: w.textOrNull(),
    reason: w.textOrNull(),
    audit_id: s.said(w.positive, 'The record of the deletion in the audit trail, by its own id.'),
    audit_sequence: s.orNull(s.said(w.positive, 'The number of that record; null until it is sealed.')),
    erases_at: w.timeOrNull('Until then it can be restored, and nothing is erased.'),
    erased: s.record({
      users: w.count,
      roles: w.count,
      subscriptions: w.count,
      mails: w.count,
      tokens: s.said(w.count, 'How many access tokens were listed. All of them stay refused.'),
    }),
    kept: s.arrayOf(s.record({ what: s.text(), count: s.orNull(s.integer()), why: s.text() })),
  }),
)

const HeldUser = s.named(
  'HeldUser',
  s.record({
    user: User,
    deleted_at: w.time,
    erases_at: s.said(w.time, 'Until then it can be restored.'),
    subscriptions: s.said(s.oneOf(['keep', 'erase']), 'What becomes of subscriptions of the same address then.'),
  }),
)

const USER: Resource<UserEntity, s.Value<typeof User>> = {
  record: publishedUser,
  state: userState,
  lastModified: ({ updatedAt }) => updatedAt,
  // Of the day on which it was seen only the beginning is known.
  lastDifferent: ({ updatedAt, lastSeenAt }) =>
    lastSeenAt === undefined ? updatedAt : Math.max(updatedAt, lastSeenAt + DAY - 1),
}

const SUSPENSION = {
  suspend: {
    summary: 'Take access from a user: all its tokens are refused from now on, on every instance.',
    guarded: SuspendUserUseCase,
    errors: ['UserNotFound', 'UserDeleted', 'LastAdministrator', 'SuspensionNotKept'],
  },
  resume: {
    summary: 'Give access back to a suspended user. Tokens issued before stay refused.',
    guarded: ResumeUserUseCase,
    errors: ['UserNotFound', 'UserDeleted', 'SuspensionNotKept'],
  },
} as const

/** Accounts: what is done to them, and their permanent deletion. */
export const users = resource('Users', [
  operation('GET /users', {
    id: 'listUsers',
    summary: 'Users, oldest first unless sorted otherwise.',
    guarded: ListUsersUseCase,
    query: {
      query: parameter(
        'Words that all must match: each is the beginning of the id, of a word of the name, of the e-mail address or of its domain. Case and accents do not matter. A page of a search may have fewer than its limit, or none, before the end: go on with its next.',
        w.line(255),
        'jane',
      ),
      role: parameter('Only users with this role.', w.role),
      suspended: parameter('Only users that are suspended, or only the others.', s.flag()),
      inactive_since: parameter(
        'Only users who were neither seen nor created on this day (UTC) or later; the oldest are then those who were longest not. Not together with `query`.',
        w.date(),
        '2026-01-31',
      ),
      ...SORTING,
    },
    answers: { 200: s.named('UserList', w.sortedListOf(User)) },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      sortedListed(await useCases.listUsers.execute(camelCased(query), caller), publishedUser),
  }),
  operation('GET /held-users', {
    id: 'listHeldUsers',
    summary: 'Deleted users that can still be restored, in the order of their ids.',
    guarded: ListHeldUsersUseCase,
    query: {
      limit: PAGING.limit,
      cursor: parameter("The 'next' of the page before.", w.line(255)),
    },
    answers: { 200: s.named('HeldUserList', w.listOf(HeldUser)) },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) => {
      const { items, next } = await useCases.listHeldUsers.execute(query, caller)
      return result({ items: items.map(publishedHeldUser), next: next ?? null })
    },
  }),
  operation('POST /users/import', {
    id: 'importUsers',
    summary:
      'Add users from a file of any length; existing users are not changed. The answer has a line for each refused row, and the summary as the last line, which names every column that was not used. What a line reports is already stored. Read the answer while you send.',
    guarded: ImportUsersUseCase,
    query: mapped(
      USER_IMPORT_FIELDS,
      'Columns that decide nothing, or are not to. One about roles or access that is neither mapped nor ignored stops the import before anything is stored.',
    ),
    body: UserImportRow,
    reads: 'file',
    example: 'id,email,name,roles\njane,jane.doe@example.com,Jane Doe,auditor\n',
    answers: { 200: IMPORT_REPORT },
    errors: ['UnsupportedMediaType'],
    handle: importing((file, { useCases, caller }) => useCases.importUsers.execute(file, caller)),
  }),
  operation('GET /users/{userId}', {
    id: 'getUser',
    summary: 'One user. A caller who may not know of it gets the same 404 as for an unknown user.',
    guarded: GetUserUseCase,
    self: true,
    hidden: true,
    answers: { 200: User },
    conditional: 'read',
    errors: ['UserNotFound', 'UserDeleted'],
    handle: async ({ useCases, path, caller }) => shown(USER, await useCases.getUser.execute(path, caller)),
  }),
  operation('PUT /users/{userId}', {
    id: 'putUser',
    summary: 'Create or replace a user.',
    guarded: PutUserUseCase,
    body: UserForm,
    example: { email: 'jane.doe@example.com', name: 'Jane Doe', roles: ['auditor'] },
    answers: { 201: User, 204: null },
    conditional: 'write',
    errors: ['UserDeleted', 'LastAdministrator', 'EmailTaken'],
    handle: async ({ useCases, path, body, caller, precondition }) => {
      const command = { ...path, ...camelCased(body), precondition: precondition(USER) }
      const { user, created: isNew } = await useCases.putUser.execute(command, caller)
      return isNew ? created(`/users/${encodeURIComponent(user.id)}`, publishedUser(user)) : DONE
    },
  }),
  operation('PATCH /users/{userId}', {
    id: 'patchUser',
    summary: 'Change some fields of a user; what is left out stays as it is.',
    guarded: PatchUserUseCase,
    body: UserPatch,
    reads: 'patch',
    example: { name: 'Jane Smith' },
    idempotent: true,
    answers: { 200: User },
    conditional: 'write',
    errors: ['UserNotFound', 'UserDeleted', 'LastAdministrator', 'EmailTaken'],
    handle: async ({ useCases, path, body, caller, precondition }) => {
      const command = { ...path, ...camelCased(body), precondition: precondition(USER) }
      return shown(USER, await useCases.patchUser.execute(command, caller))
    },
  }),
  operation('DELETE /users/{userId}', {
    id: 'deleteUser',
    summary: 'Delete a user permanently.',
    guarded: DeleteUserUseCase,
    query: {
      subscriptions: keepOrErase('Whether to erase the subscriptions of the same address, too.'),
      reason: reason("Why, for the audit trail; without the user's name and address."),
      subscriptions_expected: parameter(
        'How many subscriptions of the same address the caller knows of; with any other number 412.',
        wholeNumber(),
      ),
    },
    answers: { 204: null },
    conditional: 'write',
    errors: ['UserNotFound', 'UserDeleted', 'LastAdministrator'],
    handle: async ({ useCases, path, query, caller, precondition }) => {
      const command = { ...path, ...camelCased(query), precondition: precondition(USER) }
      await useCases.deleteUser.execute(command, caller)
      return DONE
    },
  }),
  operation('GET /users/{userId}/export', {
    id: 'exportUser',
    summary: 'Everything that is stored about the user.',
    guarded: ExportUserUseCase,
    self: true,
    answers: { 200: UserExport },
    errors: ['UserNotFound', 'UserDeleted'],
    handle: async ({ ctx, useCases, path, caller }) =>
      await sendUserExport(ctx, await useCases.exportUser.execute(path, caller)),
  }),
  operation('GET /users/{userId}/erasure', {
    id: 'getErasureReceipt',
    summary: 'The receipt of a deletion: when, by which caller, why, what was erased, and what was kept.',
    guarded: GetErasureReceiptUseCase,
    answers: { 200: ErasureReceipt },
    conditional: 'read',
    errors: ['ReceiptNotFound'],
    // No date: a deletion with a grace period has two, and the first does not change when the second is set.
    handle: async ({ useCases, path, caller }) =>
      result(publishedReceipt(await useCases.getErasureReceipt.execute(path, caller))),
  }),
  operation('POST /users/{userId}/restore', {
    id: 'restoreUser',
    summary: 'Undo a deletion within its grace period. Tokens issued before stay refused.',
    guarded: RestoreUserUseCase,
    ...REASON,
    answers: { 200: User },
    conditional: 'write',
    errors: ['UserNotFound', 'UserDeleted', 'EmailTaken', 'UserNameTaken', 'SuspensionNotKept'],
    handle: async ({ useCases, path, body, caller, precondition }) =>
      result(
        publishedUser(
          await useCases.restoreUser.execute({ ...path, ...body, precondition: precondition(USER) }, caller),
        ),
      ),
  }),
  ...(['suspend', 'resume'] as const).map((change) =>
    operation(`POST /users/{userId}/${change}`, {
      id: `${change}User`,
      ...SUSPENSION[change],
      ...REASON,
      idempotent: true,
      answers: { 200: User },
      conditional: 'write',
      handle: async ({ useCases, path, body, caller, precondition }) => {
        const command = { ...path, ...body, precondition: precondition(USER) }
        return result(publishedUser(await useCases[`${change}User`].execute(command, caller)))
      },
    }),
  ),
])
