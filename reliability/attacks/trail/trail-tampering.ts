import { Mailbox } from '../../../proving/shared/mailbox.ts'
import { Relay } from '../../../proving/shared/relay.ts'
import { type Attack, type AttackContext, counted, type Figure } from '../attack.ts'
import { askOnce } from '../raw.ts'
import { Target } from '../target.ts'
import { waitUntil } from '../wait-until.ts'
import { type SqlAccess, sqlAccess } from './sql-access.ts'

/** What is done by SQL, to which state of the database. */
interface Tampering {
  readonly name: string
  readonly state: 'sealed' | 'unsealed' | 'older'
  readonly statements: readonly string[]
}

const HEAD = "SELECT value FROM instance WHERE name = 'audit-head'"
const RECORDS = 'SELECT max(sequence) FROM audit_record'
const SEALED = 'SELECT max(last) FROM audit_seal'
const MOST_CRASHES = 20
const UNSEALED = 'SELECT count(*) FROM audit_record WHERE sequence IS NULL'

const sealed = (name: string, ...statements: readonly string[]): Tampering => ({ name, state: 'sealed', statements })

const cutAfter = (sequence: number): string[] => [
  `DELETE FROM audit_record WHERE sequence > ${sequence} OR sequence IS NULL`,
  `DELETE FROM audit_seal WHERE last > ${sequence}`,
]

/** Of the trail itself. */
const ofTheTrail = (first: { readonly sealed: number; readonly head: string }, last: number): readonly Tampering[] => [
  sealed('another actor', "UPDATE audit_record SET actor = 'mallory' WHERE sequence = 2"),
  sealed('another time', 'UPDATE audit_record SET at = at + 1000 WHERE sequence = 2'),
  sealed('another outcome', "UPDATE audit_record SET outcome = 'refused' WHERE sequence = 2"),
  sealed('no target', 'UPDATE audit_record SET target = NULL WHERE sequence = 2'),
  sealed('no first record', 'DELETE FROM audit_record WHERE sequence = 1'),
  sealed('no second record', 'DELETE FROM audit_record WHERE sequence = 2'),
  sealed('no last record', `DELETE FROM audit_record WHERE sequence = ${last}`),
  sealed('a false seal', 'UPDATE audit_seal SET mac = hash'),
  sealed('a later seal', 'UPDATE audit_seal SET at = at + 1'),
  sealed('no seals', 'DELETE FROM audit_seal'),
  sealed('numbers taken back', ...cutAfter(0).slice(1), 'UPDATE audit_record SET sequence = NULL'),
  sealed('another id', 'UPDATE audit_record SET id = id + 1000 WHERE sequence = 2'),
  sealed(
    'another order',
    'UPDATE audit_record SET sequence = -1 WHERE sequence = 2',
    'UPDATE audit_record SET sequence = 2 WHERE sequence = 3',
    'UPDATE audit_record SET sequence = 3 WHERE sequence = -1',
  ),
  sealed('no head', "DELETE FROM instance WHERE name = 'audit-head'"),
  sealed('the end cut', ...cutAfter(first.sealed)),
  sealed(
    'the end cut and the head set back',
    ...cutAfter(first.sealed),
    `UPDATE instance SET value = '${first.head}' WHERE name = 'audit-head'`,
  ),
  sealed('all of it wiped', ...cutAfter(0), "DELETE FROM instance WHERE name = 'audit-head'"),
  { name: 'the whole database put back to an earlier state', state: 'older', statements: [] },
]

const CUT_UNSEALED = 'DELETE FROM audit_record WHERE sequence IS NULL'
const COLUMNS = 'name, roles, terms, created_at, updated_at'

/** Of what the trail is about, as far as it says how that must be. */
const ofUsers: readonly Tampering[] = [
  sealed(
    'a role given',
    "UPDATE user_account SET roles = (SELECT roles FROM user_account WHERE id = 'ada') WHERE id = 'eve'",
    "INSERT INTO user_role (role, user_seq) SELECT 'admin', seq FROM user_account WHERE id = 'eve'",
  ),
  sealed(
    'a role taken',
    "UPDATE user_account SET roles = (SELECT roles FROM user_account WHERE id = 'eve') WHERE id = 'ada'",
    "DELETE FROM user_role WHERE user_seq = (SELECT seq FROM user_account WHERE id = 'ada')",
  ),
  sealed(
    'a user made',
    `INSERT INTO user_account (id, email, email_key, ${COLUMNS})
      SELECT 'mallory', 'mallory@example.com', 'mallory@example.com', ${COLUMNS} FROM user_account WHERE id = 'ada'`,
  ),
  sealed('a suspension made', "UPDATE user_account SET suspended_at = updated_at WHERE id = 'eve'"),
  sealed('a suspension lifted', "UPDATE user_account SET suspended_at = NULL WHERE id = 'sue'"),
  sealed('a user removed', "DELETE FROM user_account WHERE id = 'eve'"),
  sealed('a tombstone removed', "DELETE FROM identity WHERE id = 'gone'"),
  sealed('a tombstone lifted', "UPDATE identity SET deleted_at = NULL WHERE id = 'gone'"),
  sealed('a tombstone of another time', "UPDATE identity SET deleted_at = deleted_at - 1000 WHERE id = 'gone'"),
  { name: 'an unsealed end cut, with a user in it', state: 'unsealed', statements: [CUT_UNSEALED] },
]

/** Of what the trail does not say how it must be. */
const ofTheRest: readonly Tampering[] = [
  sealed('an e-mail address', "UPDATE user_account SET email = 'mallory@example.com' WHERE id = 'eve'"),
  sealed('a consent', "UPDATE consent SET user_agent = 'mallory'"),
  sealed('a consent removed', 'DELETE FROM consent'),
  sealed('a subscription confirmed', "UPDATE subscription SET status = 'c', confirmed_at = created_at"),
  sealed('a suppression lifted', 'DELETE FROM suppression'),
]

const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** Does a bit of everything over HTTP. */
const use = async (target: Target, mailbox: Mailbox, admin: string): Promise<void> => {
  const token = `Authorization: Bearer ${admin}`
  const put = (id: string, roles: readonly string[]) =>
    askOnce(
      target.port,
      `PUT /users/${id}`,
      [token, 'Content-Type: application/json'],
      JSON.stringify({ email: `${id}@example.com`, name: id, roles }),
    )
  await put('ada', ['admin'])
  await put('eve', [])
  await put('gone', ['auditor'])
  await put('sue', ['auditor'])
  await askOnce(target.port, 'POST /users/sue/suspend', [token])
  await askOnce(target.port, 'DELETE /users/gone', [token])
  for (const [email, link] of [
    ['yes@example.com', 'confirm'],
    ['no@example.com', 'refuse'],
  ] as const) {
    await askOnce(target.port, 'POST /subscribe', [FORM], new URLSearchParams({ email }).toString())
    await waitUntil(() => mailbox.of(email).length > 0, `the mail for ${email}`)
    await askOnce(target.port, `POST /${link}/${mailbox.token(email, link)}`, [FORM], 'a=b')
  }
}

/** Makes the states, and what somebody who kept the first of them knows. */
const prepare = async (target: Target, mailbox: Mailbox, access: SqlAccess) => {
  const admin = await target.token('root', 'admin')
  const change = (id: string) =>
    askOnce(
      target.port,
      `PUT /users/${id}`,
      [`Authorization: Bearer ${admin}`, 'Content-Type: application/json'],
      `{"email":"${id}@example.com","name":"","roles":["auditor"]}`,
    )
  await use(target, mailbox, admin)
  await target.stop()
  await access.keep('older')
  const first = { sealed: Number(await access.value(SEALED)), head: String(await access.value(HEAD)) }
  await target.start()
  await change('later')
  await target.stop()
  await access.keep('sealed')
  const last = Number(await access.value(RECORDS))
  if (!(first.sealed > 0 && last > first.sealed)) throw new Error('the trail was not sealed twice')
  // A crash leaves what no seal covers yet, if it comes before the sealer.
  for (let n = 0; Number(await access.value(UNSEALED)) === 0; n++) {
    if (n === MOST_CRASHES) throw new Error('all of it is sealed')
    await target.start()
    await change(`latest-${n}`)
    await target.stop('SIGKILL')
  }
  await access.keep('unsealed')
  return { first, last }
}

const SEEN = 3

/** Which of them `rollcall audit verify` does not see. */
const unseen = async (target: Target, access: SqlAccess, tamperings: readonly Tampering[]): Promise<string[]> => {
  const found: string[] = []
  for (const { name, state, statements } of tamperings) {
    await access.putBack(state)
    await access.run(statements)
    const { code } = await target.run('audit', 'verify')
    if (code !== SEEN) found.push(`${name} (${code})`)
  }
  return found
}

const tampered = async (context: AttackContext): Promise<readonly Figure[]> => {
  const mailbox = new Mailbox()
  await using relay = await Relay.open((mail) => mailbox.add(mail))
  await using target = await Target.open(context, { SMTP_URL: relay.url })
  await using access = sqlAccess(target, context.server)
  const { first, last } = await prepare(target, mailbox, access)
  for (const state of ['sealed', 'unsealed']) {
    await access.putBack(state)
    await target.succeed('audit', 'verify')
  }
  const trail = ofTheTrail(first, last)
  const promised = [
    counted('changes of the trail that are not seen', trail.length, await unseen(target, access, trail)),
    counted('changes of users that are not seen', ofUsers.length, await unseen(target, access, ofUsers)),
  ]
  if (context.isQuick) return promised
  return [
    ...promised,
    {
      ...counted('other changes that are not seen', ofTheRest.length, await unseen(target, access, ofTheRest)),
      bound: undefined,
    },
  ]
}

/** Changes by SQL that are to be hidden from `rollcall audit verify`. */
export const trailTampering: Attack = { name: 'trail', stores: ['sqlite', 'postgres'], run: tampered }
