import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LinkTokens, PREFERENCES_LIFE } from '@rollcall/core'
import { freePort } from '../../../packages/app/test/free-port.ts'
import { injectedProcess } from '../../fault-injection/fault-injection.ts'
import type { SourceChange } from '../../fault-injection/source-change.ts'
import { FEEDS } from '../../ledger/ledger.ts'
import { Relay } from '../../relay/relay.ts'
import { linkSigning } from '../../service/link-signing.ts'
import { commandDeleting } from './conversations.ts'
import { type Addressed, LoadClient } from './load-client.ts'
import type { RecordedProcess } from './recorded-process.ts'
import { Recorder } from './recorder.ts'
import { type Recording, recordingIn, requireFaithful } from './recording.ts'

const AT_ONCE = 6

/** Deletes users by command while the service runs. */
export class Operator {
  readonly #client: LoadClient
  readonly #start: (...args: readonly string[]) => RecordedProcess

  /** `start` runs the rollcall command. */
  constructor(client: LoadClient, start: (...args: readonly string[]) => RecordedProcess) {
    this.#client = client
    this.#start = start
  }

  /** @throws {Error} a command failed */
  async run(order: Addressed, until: number): Promise<void> {
    while (Date.now() < until) await this.#deleteSome(order)
  }

  async #deleteSome(order: Addressed): Promise<void> {
    const persons = Array.from({ length: AT_ONCE }, () => this.#client.newPerson())
    for (const person of persons) {
      const name = `Known to operators as ${person.userId}`
      await this.#client.ask(order, person, { kind: 'put-user', name })
      await this.#client.ask(order, person, { kind: 'subscribe', name })
    }
    const action = { kind: 'delete-user', subscriptions: 'erase' } as const
    for (const person of persons)
      this.#client.demands.push({ requestId: commandDeleting(person.userId), person, action })
    const ids = persons.map(({ userId }) => userId)
    await this.#start('user', 'delete', ...ids, '--subscriptions', 'erase', '--yes', '--json').end()
  }
}

interface RecordingOrder {
  /** An empty folder for the recording. */
  readonly folder: string
  readonly mail: 'files' | 'smtp'
  /** Milliseconds of load for each process of the service. Every second one ends by SIGKILL, the others by SIGTERM. */
  readonly durations: readonly number[]
  readonly changes: readonly SourceChange[]
}

const MAIN = path.join(import.meta.dirname, '../../../packages/app/src/main.ts')
const LANES = 6
const PAUSE = 80
/** Milliseconds for which commands continue after the last request, whose commit would sync their writes. */
const OVERTIME = 500
/** Milliseconds that the relay takes for each answer, so that mails have to wait. */
const SLOWNESS = 20

/**
 * Runs the service from its very first start, under load, and records what it writes and sends.
 * @throws {Error} the service failed, or the recording does not match the disk
 */
export const recordService = async ({ folder, mail, durations, changes }: RecordingOrder): Promise<Recording> => {
  const disk = path.join(folder, 'disk')
  mkdirSync(disk, { recursive: true })
  const client = new LoadClient()
  await using relay = await Relay.open(() => undefined)
  relay.delay = SLOWNESS
  const port = await freePort()
  const { args: nodeArgs, env } = injectedProcess({ changes }, path.join(folder, 'injection.json'))
  const settings = {
    DATA_DIR: path.join(disk, 'data'),
    PORT: `${port}`,
    RATE_LIMIT: 'off',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'warn',
    ...(mail === 'smtp' ? { SMTP_URL: relay.url } : {}),
  }
  await using recorder = new Recorder(path.join(folder, 'trace'))
  const start = (...args: readonly string[]): RecordedProcess =>
    recorder.start({ args: [...nodeArgs, MAIN, ...args], env: { ...env, ...prefixed(settings) }, cwd: folder })
  const operator = new Operator(client, start)
  await start('migrate').end()
  await start('feed', 'put', FEEDS[1]).end()
  const issue = start('token', 'issue', '--subject', 'root', '--role', 'admin', '--ttl', '7d')
  await issue.end()
  const token = issue.stdout.trim()
  const mails = mail === 'files' ? path.join(disk, 'data/mail') : undefined
  const links = new LinkTokens(await linkSigning(path.join(disk, 'data')))
  const preferencesToken = (id: number) => links.signPreferences(id, Date.now() + PREFERENCES_LIFE)
  const addressed = { url: `http://127.0.0.1:${port}`, token, mails, preferencesToken }
  for (const [index, duration] of durations.entries()) {
    const service = start('serve')
    await service.ready(addressed.url)
    const until = Date.now() + duration
    const load = { ...addressed, lanes: LANES, pause: PAUSE }
    await Promise.all([client.run(load, until), operator.run(addressed, until + OVERTIME)])
    if (index % 2 === 1) await service.kill()
    else await service.terminate()
  }
  await recorder[Symbol.asyncDispose]()
  writeFileSync(path.join(folder, 'recording.json'), JSON.stringify({ port, mail, token, demands: client.demands }))
  const recording = recordingIn(folder)
  requireFaithful(recording)
  return recording
}

const prefixed = (settings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value]))
