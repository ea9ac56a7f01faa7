import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Examination } from '../shared/examination.ts'
import type { Finding } from '../shared/finding.ts'
import { Fixture } from '../shared/fixture.ts'
import { FEEDS } from '../shared/ledger.ts'
import { list } from '../shared/look.ts'
import { isAboutDoneMove } from '../shared/mailbox.ts'
import type { Person } from '../shared/person.ts'
import { owedTo } from '../shared/scenario.ts'
import type { Program } from '../shared/service.ts'
import { commandDeleting } from './conversations.ts'
import { FileNode } from './disk-node.ts'
import type { NodeId, RecordedOperation } from './operation.ts'
import type { Promised } from './promises.ts'
import type { Recording } from './recording.ts'
import { everything } from './survival.ts'

interface Judged {
  readonly recording: Pick<Recording, 'mail' | 'token' | 'revoked'>
  readonly promised: Promised
  /** How they must be, if that is known. */
  readonly wholeMails?: ReadonlyMap<string, Uint8Array>
  readonly program: Program
  /** Whether to look for leftovers of erased persons and to verify the audit trail as well. */
  readonly thoroughly: boolean
}

const PATIENCE = 20_000
const PAUSE = 100
/** Milliseconds; what has not come by then must be in the outbox. */
const SENT_WITHIN = 1_000
/** The addresses that the load has. */
const ADDRESS = /person-\d+@example\.com/g

/** The broken promises on this disk. The service is started on it, which may change it. */
export const examineState = async (disk: string, judged: Judged): Promise<readonly Finding[]> => {
  const { recording, promised, program, thoroughly } = judged
  const { ledger } = promised
  const data = path.join(disk, 'data')
  const mails = path.join(data, 'mail')
  for (const name of judged.wholeMails === undefined ? [] : mailsIn(mails))
    if (!Buffer.from(judged.wholeMails?.get(name) ?? '').equals(readFileSync(path.join(mails, name))))
      ledger.report('I3', `the mail ${name} is incomplete`)
  const mailsAsFiles = recording.mail === 'files'
  await using fixture = await Fixture.create({ ledger, program, mailsAsFiles, settings: { DATA_DIR: data } })
  const service = await fixture.start()
  if (service === undefined) return ledger.findings
  const { client, target } = fixture
  client.token = promised.token ? recording.token : await fixture.token('examiner', 'admin')
  if (promised.token && (await target.ask('GET /users?limit=1', { token: client.token })).status !== 200) {
    ledger.report('I1', "the administrator's token is refused")
    client.token = await fixture.token('examiner', 'admin')
  }
  if (promised.revoked && (await target.ask('GET /users?limit=1', { token: recording.revoked })).status !== 401)
    ledger.report('I1', 'a token that was revoked is accepted')
  await client.demand(`PUT /feeds/${FEEDS[1]}`, {}, [200, 201, 204])
  await new Examination(ledger, client, target.store).ofAll()
  await examineTrail(fixture, promised)
  await examineMails(fixture, promised, mailsAsFiles ? mails : undefined)
  if (thoroughly) {
    await fixture.command('audit', 'verify')
    await until(() => leftovers(data, ledger.persons.values()).length === 0)
    for (const line of leftovers(data, ledger.persons.values())) ledger.report('I5', line)
  }
  service.signal('SIGTERM')
  const { code } = await service.ended
  if (code !== 0) ledger.report('I7', `SIGTERM ended it with ${code}. ${service.stderr}`)
  return ledger.findings
}

/** A command says no request id of its own; a user is deleted only once. */
const examineTrail = async ({ client, ledger }: Fixture, { recorded }: Promised): Promise<void> => {
  interface AuditRecord {
    readonly request_id: string | null
    readonly channel: string
    readonly action: string
    readonly target: string | null
  }
  const records = await list<AuditRecord>(client, '/audit', 'after')
  const known = new Set(
    records.map(({ request_id, channel, action, target }) =>
      channel === 'cli' && action === 'user.delete' ? commandDeleting(target ?? '') : request_id,
    ),
  )
  for (const { requestId, action, userId } of recorded)
    if (!known.has(requestId)) ledger.report('I1', `${action.kind} of ${userId} was answered and has no audit record`)
}

/** Every pending mail was sent, is sent now, or waits in the outbox; and no mail of an erased person is back. */
const examineMails = async (fixture: Fixture, { mailed }: Promised, folder: string | undefined): Promise<void> => {
  const { ledger } = fixture
  const sentTo = (): Set<string> =>
    new Set(folder === undefined ? [] : mailsIn(folder).map((name) => recipientOf(path.join(folder, name))))
  const wasMailed = ({ id = 0 }: Person): boolean => [...mailed].some((one) => one.startsWith(`${id.toString(36)}.`))
  const owed = (): Person[] => {
    const reached = sentTo()
    const isPending = (person: Person) => person.mustBe(({ subscription }) => subscription?.status === 'pending')
    return owedTo(ledger).filter((person) => isPending(person) && !reached.has(person.email) && !wasMailed(person))
  }
  const back = (): string[] => {
    const reached = sentTo()
    return [...ledger.persons.values()]
      .filter(isErased)
      .map(({ email }) => email)
      .filter((email) => reached.has(email))
  }
  await until(() => owed().length === 0 && back().length === 0, SENT_WITHIN)
  if (owed().length > 0) {
    const waiting = new Set((await fixture.outbox()).map(({ subscription_id }) => subscription_id))
    const isWaiting = async ({ email, id }: Person): Promise<boolean> => {
      const shown = id ?? (await list<{ id: number }>(fixture.client, `/subscriptions?email=${email}`))[0]?.id
      return waiting.has(shown)
    }
    for (const person of owed())
      if (!(await isWaiting(person)))
        ledger.report('I3', `the mail for ${person.email} is neither sent nor in the outbox`)
  }
  // What tells of a done move is outside the caps.
  for (const { email, newEmail } of ledger.persons.values())
    for (const mail of [email, newEmail].flatMap((address) => ledger.mailbox.of(address)))
      if (mailed.has(mail.messageId.replace(/[<>]/g, '')) && !isAboutDoneMove(mail))
        ledger.report('I4', `${mail.messageId} was sent once more, sooner than the caps allow`)
  await until(() => back().length === 0)
  for (const email of back()) ledger.report('I5', `${email} was erased, and a mail to it is back`)
}

const isErased = (person: Person): boolean =>
  person.mustBe(
    ({ subscription, moved, user }) => subscription === undefined && moved === undefined && user === 'deleted',
  )

/** What is left of erased persons in any file. */
const leftovers = (data: string, persons: Iterable<Person>): string[] => {
  const erased = new Set([...persons].filter(isErased).map(({ email }) => email))
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const addresses = new Set(read(path.join(parentPath, name)).match(ADDRESS))
    return [...addresses].filter((email) => erased.has(email)).map((email) => `${email} was erased and is in ${name}`)
  })
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // It was removed meanwhile.
    return ''
  }
}

const recipientOf = (file: string): string => /^To: (\S+)\r$/m.exec(read(file))?.[1] ?? ''

const mailsIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).filter(isMail) : [])

const isMail = (name: string): boolean => name.endsWith('.eml') && !name.startsWith('.')

const until = async (holds: () => boolean, within = PATIENCE): Promise<void> => {
  for (const end = performance.now() + within; performance.now() < end && !holds(); await sleep(PAUSE)) {}
}

/** Every mail that was ever written as a file, by file name. */
export const wholeMails = (operations: readonly RecordedOperation[]): ReadonlyMap<string, Uint8Array> => {
  const files = new Map<NodeId, FileNode>()
  const nodes = new Map<string, NodeId>()
  for (const operation of operations) {
    const { kind } = operation
    if (kind === 'write' || kind === 'resize') {
      const file = files.get(operation.node) ?? new FileNode()
      files.set(operation.node, file)
      file.change(operation)
    }
    if (kind === 'name' && isMail(operation.name)) nodes.set(operation.name, operation.node)
    if (kind === 'rename' && isMail(operation.to)) nodes.set(operation.to, operation.node)
  }
  return new Map([...nodes].map(([name, node]) => [name, files.get(node)?.bytesAfter(everything) ?? new Uint8Array()]))
}
