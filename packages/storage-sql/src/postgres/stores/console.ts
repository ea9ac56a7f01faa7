import type { Readers, Stores } from '@rollcall/core'
import {
  CONSOLE_SESSION_READER,
  CONSOLE_SESSION_STORE,
  DELETION_RUN_READER,
  DELETION_RUN_STORE,
  LOGIN_LINK_STORE,
} from '../../tables/console.ts'
import { keyOf } from '../lock-keys.ts'
import type { Transaction } from '../transaction.ts'
import { type Asked, firm, lock, postgresReader, postgresStore } from './run-methods.ts'

const consoleSessionStore = postgresStore(CONSOLE_SESSION_STORE, {
  find: firm(),
  add: lock(({ subject }) => keyOf.user(subject)),
  eraseOf: lock(keyOf.user),
})

const loginLinkStore = postgresStore(LOGIN_LINK_STORE, {
  find: firm(keyOf.loginLink),
  remove: lock(keyOf.loginLink),
  add: lock(({ subject }) => keyOf.user(subject)),
  eraseOf: lock(keyOf.user),
})

const deletionRunStore = postgresStore(DELETION_RUN_STORE, {
  find: firm(keyOf.deletionRun),
  put: lock(({ id }) => keyOf.deletionRun(id)),
})

type ConsoleStores = Pick<Stores, 'consoleSessions' | 'deletionRuns' | 'loginLinks'>

/** What only a console needs. */
export const postgresConsoleStores = (unit: Transaction): ConsoleStores => ({
  consoleSessions: consoleSessionStore(unit),
  deletionRuns: deletionRunStore(unit),
  loginLinks: loginLinkStore(unit),
})

export const postgresConsoleReaders = (asked: Asked): Pick<Readers, 'consoleSessions' | 'deletionRuns'> => ({
  consoleSessions: postgresReader(CONSOLE_SESSION_READER)(asked),
  deletionRuns: postgresReader(DELETION_RUN_READER)(asked),
})
