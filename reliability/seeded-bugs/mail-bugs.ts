import type { SeededBug } from './bugs.ts'

const DELIVERY = 'packages/core/src/outbox/deliver-outbox-use-case.ts'
const OUTBOX = 'packages/storage-sql/src/sqlite/stores/outbox.ts'

/** A mail is lost, sent twice, or delays others. */
export const MAIL_BUGS: readonly SeededBug[] = [
  {
    name: 'mark-before-send',
    what: 'a mail counts as sent before it is sent',
    changes: [
      {
        file: DELIVERY,
        find: 'const outcome = await this.ports.transport.send(due.mail)',
        replace:
          'await this.ports.unitOfWork.run((stores) => stores.outbox.remove(due.entry.id))\n    const outcome = await this.ports.transport.send(due.mail)',
      },
    ],
    check: 'power-loss-smtp',
  },
  {
    name: 'no-lease-expiry',
    what: 'what a dead worker had claimed stays claimed',
    changes: [
      {
        file: 'packages/storage-sql/src/tables/leases.ts',
        find: 'AND leased_until <= @now',
        replace: 'AND (leased_until = 0 OR @now = 0)',
      },
      {
        file: 'packages/storage-sql/src/sqlite/open-sqlite-storage.ts',
        find: 'leased_until = 0 WHERE owner IS NOT NULL',
        replace: 'leased_until = 0 WHERE owner IS NULL',
      },
    ],
    check: 'orphans',
  },
  {
    name: 'message-id-at-send',
    what: 'a mail gets its Message-ID when it is sent',
    changes: [
      {
        file: 'packages/core/src/outbox/mail-of.ts',
        find: 'messageId: entry.messageId,',
        replace: "messageId: Math.random().toString(36).slice(2) + '@localhost',",
      },
    ],
    check: 'random-kills',
  },
  {
    name: 'attempt-not-counted',
    what: 'attempts to send a mail are not counted',
    changes: [{ file: OUTBOX, find: 'attempts = attempts + 1', replace: 'attempts = attempts' }],
    check: 'power-loss',
  },
  {
    name: 'caps-not-stored',
    what: 'what counts against the mail cap of a mailbox is not stored',
    changes: [
      {
        file: 'packages/core/src/outbox/claim-mails.ts',
        find: 'await slots.write()',
        replace: '',
      },
    ],
    check: 'power-loss',
  },
  {
    name: 'bad-mails-block',
    what: 'a mail that the relay puts off is tried again on the spot, and the others wait',
    changes: [
      {
        file: DELIVERY,
        find: 'const outcome = await this.ports.transport.send(due.mail).then(',
        replace:
          'while (await this.ports.transport.send(due.mail).then(() => false, () => true)) await new Promise((go) => setTimeout(go, 500))\n    const outcome = await Promise.resolve().then(',
      },
    ],
    check: 'bad-mails',
  },
]
