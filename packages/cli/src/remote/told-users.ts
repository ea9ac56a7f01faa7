import { domainToASCII } from 'node:url'
import {
  type AuditRecord,
  type ErasureReceipt,
  parseEmailAddress,
  parseUserId,
  type User,
  type UserId,
} from '@rollcall/core'
import type { Told } from './told.ts'
import { toldActor } from './told-audit.ts'

/** The key by which two addresses are one. */
export const addressKeyOf = (email: string): string =>
  parseEmailAddress(email, { toAscii: (domain) => domainToASCII(domain) || undefined }).key

export const toldUser = (told: Told): User => ({
  id: toldUserId(told, 'id'),
  email: told.text('email'),
  emailKey: told.parsed('email', addressKeyOf),
  name: told.text('name'),
  roles: told.texts('roles'),
  createdAt: told.instant('created_at'),
  updatedAt: told.instant('updated_at'),
})

const toldUserId = (told: Told, name: string): UserId => told.parsed(name, (text) => parseUserId(text, name))

/** Of the audit record as much as the receipt tells: not its hash, which a receipt does not need. */
export const toldReceipt = (told: Told): ErasureReceipt => {
  const erased = told.object('erased')
  const deletedAt = told.instant('deleted_at')
  const audit = told.number('audit_sequence')
  const userId = toldUserId(told, 'user_id')
  return {
    userId,
    tombstone: {
      deletedAt,
      audit,
      erasesAt: told.optionalInstant('erases_at'),
      erased: {
        users: erased.number('users'),
        roles: erased.number('roles'),
        subscriptions: erased.number('subscriptions'),
        mails: erased.number('mails'),
      },
      subscriptionsKept: keptSubscriptions(told),
    },
    record: told.has('deleted_by') ? recordIn(told, { at: deletedAt, sequence: audit, target: userId }) : undefined,
  }
}

const keptSubscriptions = (told: Told): number =>
  told
    .list('kept')
    .find((kept) => kept.text('what') === 'subscriptions')
    ?.number('count') ?? 0

const recordIn = (told: Told, known: Pick<AuditRecord, 'at' | 'sequence' | 'target'>): AuditRecord => ({
  ...known,
  ...toldActor(told, 'deleted_by'),
  tokenId: undefined,
  action: 'user.delete',
  outcome: 'done',
  count: 1,
  hash: '',
})
