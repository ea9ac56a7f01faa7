import { cp } from 'node:fs/promises'
import path from 'node:path'
import type { Cores } from '../command.ts'
import type { Options } from '../options.ts'
import { awaitDelivery, openMailbox } from '../rollcall/mailbox.ts'
import { databaseIn, makeTemplate, rollcall } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { deletions, signUps } from '../traffic.ts'
import { type BenchCase, outside, tooFew } from './bench-case.ts'

const SUBSCRIPTIONS = 'SELECT count(*) FROM subscription'

const signUp = ({ mail }: Options, cores: Cores): BenchCase => ({
  name: 'post-rollcall',
  title: 'POST, Rollcall, durable, mail enqueued',
  status: 200,
  run: async (folder) => {
    const mailbox = await openMailbox(mail, folder, cores)
    const database = databaseIn(folder)
    return {
      server: await rollcall(folder, mailbox.settings),
      traffic: signUps,
      end: 'SIGKILL',
      deliver: async () => await awaitDelivery(mailbox, countRows(database, SUBSCRIPTIONS)),
      disagreements: async (counts) => {
        const subscriptions = countRows(database, SUBSCRIPTIONS)
        const mails = (await mailbox.count()) + countRows(database, 'SELECT count(*) FROM outbox')
        const lost = mails < subscriptions ? [`${mails} mails pending or sent for ${subscriptions} subscriptions`] : []
        return [...outside('subscriptions', subscriptions, counts), ...lost]
      },
      close: () => mailbox.close(),
    }
  },
})

const refusal = (scratch: string, cores: Cores): BenchCase => {
  const template = path.join(scratch, 'refusal')
  let token = ''
  return {
    name: 'delete-403-rollcall',
    title: 'DELETE 403, Rollcall, token without the role',
    status: 403,
    prepare: async () => {
      token = await makeTemplate(template, { subject: 'bench-reader', roles: [], users: 0 }, cores)
    },
    run: async (folder) => {
      await cp(template, folder, { recursive: true })
      return {
        server: await rollcall(folder, {}),
        traffic: deletions({ Authorization: `Bearer ${token}` }),
        // Refusals are written within a second, so a killed service may lose some.
        end: 'SIGTERM',
        disagreements: async (counts) => {
          const sum = "SELECT sum(count) FROM audit_record WHERE action = 'user.delete' AND actor = 'bench-reader'"
          return outside('refusals in the audit trail', countRows(databaseIn(folder), sum), counts)
        },
      }
    },
  }
}

const deletion = ({ users }: Options, scratch: string, cores: Cores): BenchCase => {
  const template = path.join(scratch, 'deletion')
  let token = ''
  return {
    name: 'delete-204-rollcall',
    title: 'DELETE 204, Rollcall, durable, audited',
    status: 204,
    prepare: async () => {
      token = await makeTemplate(template, { subject: 'bench-admin', roles: ['admin'], users }, cores)
    },
    run: async (folder) => {
      await cp(template, folder, { recursive: true })
      const count = (query: string): number => countRows(databaseIn(folder), query)
      return {
        server: await rollcall(folder, {}),
        traffic: deletions({ Authorization: `Bearer ${token}` }),
        end: 'SIGKILL',
        disagreements: async (counts) => [
          ...tooFew(users, counts),
          ...outside('deleted users', users - count('SELECT count(*) FROM user_account'), counts),
          ...outside('tombstones', count('SELECT count(*) FROM identity WHERE deleted_at IS NOT NULL'), counts),
          ...outside(
            'audit records',
            count("SELECT count(*) FROM audit_record WHERE action = 'user.delete' AND outcome = 'done'"),
            counts,
          ),
        ],
      }
    },
  }
}

export const rollcallCases = (options: Options, scratch: string, cores: Cores): readonly BenchCase[] => [
  signUp(options, cores),
  refusal(scratch, cores),
  deletion(options, scratch, cores),
]
