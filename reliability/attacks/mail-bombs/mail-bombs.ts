import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Mailbox } from '../../../proving/shared/mailbox.ts'
import { Relay } from '../../../proving/shared/relay.ts'
import { Home, type Program } from '../../../proving/shared/service.ts'
import { changedSource } from '../../fault-injection/fault-injection.ts'
import type { SourceChange } from '../../fault-injection/source-change.ts'
import type { Attack, AttackContext, Figure } from '../attack.ts'
import { askOnce } from '../raw.ts'
import { Target } from '../target.ts'
import { waitUntil } from '../wait-until.ts'
import { networks } from './networks.ts'
import { MAIL_PATHS, type MailPath, type Siege } from './paths.ts'

/** An hour of the caps takes a minute; everything else goes at its own speed. */
const SHORT_HOUR: SourceChange = {
  file: 'packages/core/src/outbox/mail-cap.ts',
  find: "import { DAY, type Instant, MINUTE } from '../instant.ts'",
  replace: "import type { Instant } from '../instant.ts'\nconst MINUTE = 1_000\nconst DAY = 1_440 * MINUTE",
}
const HOUR = 60_000
/** One in 10 minutes, 3 a day: so an hour, too, has 3 at most. */
const MOST_MAILS = 3
const PAUSE = 200

const besieged = async (context: AttackContext): Promise<readonly Figure[]> => {
  const mailbox = new Mailbox()
  await using scratch = await Home.make({})
  await using relay = await Relay.open((mail) => mailbox.add(mail))
  const program = changedSource([SHORT_HOUR], path.join(scratch.folder, 'injection.json'))
  const settings = { SMTP_URL: relay.url, TRUST_PROXY: '1' }
  await using target = await Target.open(context, settings, program)
  await using second = await secondInstance(context, target, settings, program)
  const instances = [target, ...(second === undefined ? [] : [second])]
  const admin = `Bearer ${await target.token('root', 'admin')}`
  const feeds = ['default', ...Array.from({ length: 10 }, (_, n) => `feed-${n}`)]
  for (const feed of feeds.slice(1)) {
    const fields = [`Authorization: ${admin}`, 'Content-Type: application/json']
    await askOnce(target.port, `PUT /feeds/${feed}`, fields, JSON.stringify({ title: feed }))
  }
  const began = performance.now()
  for (let n = 0; performance.now() - began < HOUR; n++) {
    const siege: Siege = { target: instances[n % instances.length] ?? target, mailbox, admin, feeds }
    await Promise.all(MAIL_PATHS.map((one) => one.step(siege, one.addresses[n % one.addresses.length] ?? '', n)))
    await sleep(PAUSE)
  }
  const received = (one: MailPath): number => mailsTo(mailbox, one.addresses)
  // What the caps have held back until the end of the hour does not count; what is on its way does.
  await waitUntil(() => MAIL_PATHS.every((one) => received(one) > 0), 'a mail of each kind')
  return MAIL_PATHS.map((one) => ({
    ...{ name: `mails an hour by ${one.name}`, figure: received(one), bound: MOST_MAILS, unit: '' },
  }))
}

/** Where the store takes several: another one on the same database. */
const secondInstance = async (
  context: AttackContext,
  { database, home }: Target,
  settings: Readonly<Record<string, string>>,
  program: Program,
): Promise<Target | undefined> => {
  if (database === undefined) return undefined
  const same = { ...settings, DATABASE_URL: database, DATA_DIR: home.data }
  // What makes no database of its own.
  return await Target.open({ ...context, store: 'sqlite' }, same, program)
}

/** As they are in envelopes: the domain in ASCII; the name as it was submitted, or in lower case. */
const mailsTo = (mailbox: Mailbox, addresses: readonly string[]): number => {
  const spellings = addresses.flatMap((address) => {
    const [name = '', domain = ''] = address.split('@')
    const host = new URL(`http://${domain}`).hostname
    return [`${name}@${host}`, `${name.toLowerCase()}@${host}`]
  })
  return [...new Set(spellings)].reduce((sum, address) => sum + mailbox.of(address).length, 0)
}

/** Mails to one mailbox that somebody else has asked for, again and again. */
export const mailBombs: Attack = {
  name: 'mail-bombs',
  stores: ['sqlite', 'postgres'],
  run: async (context) => [...(await besieged(context)), ...(await networks(context))],
}
