import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Client } from '../shared/client.ts'
import { FEEDS, Ledger } from '../shared/ledger.ts'
import { Load } from '../shared/load.ts'
import type { Action } from '../shared/model.ts'
import type { Person } from '../shared/person.ts'
import { Random } from '../shared/random.ts'
import { Relay } from '../shared/relay.ts'
import { type Program, pathWithNode, prefixed } from '../shared/service.ts'
import { jtiOf } from '../shared/token-witness.ts'
import { commandDeleting } from './conversations.ts'
import type { RecordedProcess } from './recorded-process.ts'
import { Recorder } from './recorder.ts'
import { type Demand, type Recording, recordingIn, requireFaithful } from './recording.ts'

/** A client whose requests can be found in the trace. */
class RecordedClient extends Client {
  readonly demands: Demand[] = []

  override async ask(action: Action, person: Person, token: string) {
    const requestId = `demand-${this.demands.length}`
    this.note(requestId, action, person)
    return await super.ask(action, person, token, requestId)
  }

  note(requestId: string, action: Action, { email, userId }: Person): void {
    this.demands.push({ requestId, action, email, userId })
  }
}

type Start = (...args: readonly string[]) => RecordedProcess

/** Erases users by a command, beside the service and its load. */
const operate = async (client: RecordedClient, ledger: Ledger, start: Start, until: number): Promise<void> => {
  const erase = { kind: 'delete-user', subscriptions: 'erase' } as const
  while (Date.now() < until) {
    const persons = [ledger.newPerson(), ledger.newPerson()]
    for (const person of persons) {
      for (const kind of ['put-user', 'subscribe'] as const) {
        const action = { kind, name: 'Ada' }
        ledger.answered(person, action, await client.ask(action, person, ''))
      }
      client.note(commandDeleting(person.userId), erase, person)
    }
    const ids = persons.map(({ userId }) => userId)
    await start('user', 'delete', ...ids, '--subscriptions', 'erase', '--yes', '--json').end()
  }
}

/** Reads mails that are files, so that their links are followed. */
const readMails = (folder: string, { mailbox }: Ledger): void => {
  for (const name of namesIn(folder).filter((file) => file.endsWith('.eml') && !file.startsWith('.'))) {
    const text = textIn(path.join(folder, name))
    // Its person was erased meanwhile.
    if (text === undefined) continue
    const to = /^To: (\S+)\r$/m.exec(text)?.[1] ?? ''
    if (mailbox.of(to).some(({ messageId }) => messageId === name)) continue
    const at = performance.now()
    mailbox.add({ messageId: name, to, text, begunAt: at, acceptedAt: at, processNumber: 0, cutOff: false })
  }
}

const textIn = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is made for the first mail.
    return []
  }
}

interface RecordingOrder {
  /** An empty folder for the recording. */
  readonly folder: string
  readonly mail: 'files' | 'smtp'
  /** Milliseconds of load for each process of the service. Every second one ends by SIGKILL, the others by SIGTERM. */
  readonly durations: readonly number[]
  readonly program: Program
  readonly seed: number
}

/** Requests a second. */
const RATE = 70
/** Milliseconds for which commands continue after the last request, whose commit would sync their writes. */
const OVERTIME = 500
/** Milliseconds that the relay takes for each answer, so that mails have to wait. */
const SLOWNESS = 20
const PAUSE = 50

/**
 * Runs the service from its very first start, under load, and records what it writes and sends.
 * @throws {Error} the service failed, or the recording does not match the disk
 */
export const recordService = async (order: RecordingOrder): Promise<Recording> => {
  const { folder, mail, durations, program } = order
  const disk = path.join(folder, 'disk')
  mkdirSync(disk, { recursive: true })
  const ledger = new Ledger()
  await using relay = await Relay.open((received) => void ledger.mailbox.add(received))
  relay.delay = SLOWNESS
  const port = await freePort()
  const settings = {
    ...{ DATA_DIR: path.join(disk, 'data'), PORT: `${port}`, RATE_LIMIT: 'off', LOG_FORMAT: 'json', LOG_LEVEL: 'warn' },
    ...(mail === 'smtp' ? { SMTP_URL: relay.url } : {}),
  }
  await using recorder = new Recorder(path.join(folder, 'trace'))
  const env = { PATH: pathWithNode, ...prefixed(settings) }
  const start: Start = (...args) => recorder.start({ command: [...program.command, ...args], env, cwd: folder })
  const issue = async (subject: string): Promise<string> => {
    const issuing = start('token', 'issue', '--subject', subject, '--role', 'admin', '--ttl', '7d')
    await issuing.end()
    return issuing.stdout.trim()
  }
  await start('migrate').end()
  await start('feed', 'put', FEEDS[1]).end()
  const [token, revoked] = [await issue('root'), await issue('revoked')]
  const client = new RecordedClient(port)
  client.token = token
  await client.signLinksOf(path.join(disk, 'data'))
  const load = new Load(ledger, client, new Random(order.seed), RATE, { oneAtATime: true })
  for (const [index, duration] of durations.entries()) {
    const service = start('serve')
    await service.ready(port)
    if (index === 0) await client.demand(`DELETE /tokens/${jtiOf(revoked)}`, undefined, [204])
    const until = Date.now() + duration
    const reading = setInterval(() => readMails(path.join(disk, 'data/mail'), ledger), PAUSE)
    const loading = load.run(AbortSignal.timeout(duration))
    await Promise.all([loading, operate(client, ledger, start, until + OVERTIME)])
    clearInterval(reading)
    client.hangUp()
    if (index % 2 === 1) await service.kill()
    else await service.terminate()
  }
  await recorder[Symbol.asyncDispose]()
  const ids = Object.fromEntries(
    [...ledger.persons.values()].flatMap(({ email, id }) => (id === undefined ? [] : [[email, id]])),
  )
  const about = { mail, token, revoked, ids, demands: client.demands }
  writeFileSync(path.join(folder, 'recording.json'), JSON.stringify(about))
  const recording = recordingIn(folder)
  requireFaithful(recording)
  return recording
}
