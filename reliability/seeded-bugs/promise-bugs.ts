import type { SeededBug } from './bugs.ts'

const SUBSCRIPTIONS = 'packages/storage-sql/src/sqlite/stores/subscriptions.ts'

/** The service does something other than what was asked for, or keeps what was erased. */
export const PROMISE_BUGS: readonly SeededBug[] = [
  {
    name: 'swapped-status',
    what: 'a pending subscription is stored as a confirmed one',
    changes: [
      {
        file: 'packages/storage-sql/src/tables/subscriptions.ts',
        find: "{ pending: 'p', confirmed: 'c', ended: 'e' }",
        replace: "{ pending: 'c', confirmed: 'c', ended: 'e' }",
      },
    ],
    check: 'random-kills',
  },
  {
    name: 'skipped-escape',
    what: 'the escapes of a form are left as they are',
    changes: [
      {
        file: 'packages/http-koa/src/reading/fields.ts',
        find: 'NON_ASCII.test(binary) ? binary.replace(EACH_NON_ASCII, escapeByte) : binary',
        replace: "binary.replaceAll('%26', '%2526')",
      },
    ],
    check: 'random-kills',
  },
  {
    name: 'confirm-on-get',
    what: 'fetching a confirmation link confirms',
    changes: [
      {
        file: 'packages/http-koa/src/routes.ts',
        find: "showLink(options, 'confirm')",
        replace: "followLink(options, 'confirm')",
      },
    ],
    check: 'one-kill',
  },
  {
    name: 'twice-at-once',
    what: 'of requests at the same time each finds that it is the first, and no index says otherwise',
    changes: [
      {
        file: 'packages/storage-sql/src/migrations/sqlite/0001-initial.ts',
        find: 'id INTEGER NOT NULL UNIQUE,',
        replace: 'id INTEGER NOT NULL,',
      },
      {
        file: SUBSCRIPTIONS,
        find: 'const find = finder(connection, ',
        replace: `const [file] = connection.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").pluck().all()
  const find = finder(new connection.constructor(file, { readonly: true }), `,
      },
    ],
    check: 'random-kills',
  },
  {
    name: 'ids-come-back',
    what: 'the id of a deleted user may be used again',
    changes: [
      {
        file: 'packages/core/src/users/change-user.ts',
        find: 'const isDeleted = user === undefined && (await tombstones.has(id))',
        replace: 'if (user === undefined) await tombstones.remove(id)\n  const isDeleted = false',
      },
    ],
    check: 'random-kills',
  },
  {
    name: 'tombstone-forgotten',
    what: 'a deletion leaves no tombstone',
    changes: [
      {
        file: 'packages/core/src/users/delete-user-use-case.ts',
        find: 'await stores.tombstones.put(user.id, {',
        replace: 'void ({',
      },
    ],
    check: 'random-kills',
  },
  {
    name: 'deleted-token-accepted',
    what: 'after a restart the token of a deleted user is accepted again',
    changes: [
      {
        file: 'packages/storage-sql/src/sqlite/open-sqlite-storage.ts',
        find: 'await tidyUp(1)',
        replace: "writing.exec('UPDATE identity SET deleted_at = NULL')\n  await tidyUp(1)",
      },
    ],
    check: 'deleted-token',
  },
  {
    name: 'mail-not-cancelled',
    what: 'a mail that waits outlives the erasure of its subscription',
    changes: [
      {
        file: 'packages/core/src/subscriptions/subscription-erasure.ts',
        find: 'await withdrawMails(stores, subscription)',
        replace: '[] as { messageId: string }[]',
      },
    ],
    check: 'power-loss-smtp',
  },
  {
    name: 'term-drops-requests',
    what: 'SIGTERM drops the requests that are being answered',
    changes: [
      {
        file: 'packages/app/src/serve.ts',
        find: 'drain(server, config.SHUTDOWN_TIMEOUT)',
        replace: '(server.close(), server.closeAllConnections())',
      },
    ],
    check: 'drain',
  },
]
