import { receiptRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { printRecord } from '../record-printer.ts'
import type { Verb } from '../verb.ts'

export const userErasure: Verb = {
  name: 'erasure',
  summary: 'Show the receipt of a deletion',
  details: 'When and why it was, who did it, what was erased, and what was kept.',
  examples: ['rollcall user erasure brian', 'rollcall user erasure brian --json'],
  define: (command, session) => {
    command.argument('<id>', 'of the deleted user').action(async (userId: string) => {
      const receipt = await session.withUseCases(({ getErasureReceipt }, caller) =>
        getErasureReceipt.execute({ userId }, caller),
      )
      const { tombstone, record } = receipt
      const { erased, erasesAt, subscriptionsKept } = tombstone
      await printRecord(session, receiptRecord(receipt), [
        ['ID', receipt.userId],
        ['Deleted', shortInstantText(tombstone.deletedAt)],
        ['By', record?.actor ?? ''],
        ['Reason', record?.reason ?? ''],
        ['Erased', erasesAt === undefined ? 'at once' : `not before ${shortInstantText(erasesAt)}`],
        ['Roles gone', String(erased.roles)],
        ['Subscriptions erased', String(erased.subscriptions)],
        ['Subscriptions kept', String(subscriptionsKept)],
        ['Mails erased', String(erased.mails)],
        ['Audit record', String(tombstone.audit)],
      ])
    })
  },
}
