import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { LinkTokens, PREFERENCES_LIFE } from '@rollcall/core'
import { existingLinkKeys } from '../../packages/app/src/link-keys.ts'
import { createNodeDigests } from '../../packages/app/src/platform/node-digests.ts'
import { FEEDS } from './ledger.ts'
import type { Action } from './model.ts'
import type { Person } from './person.ts'
import { type Answer, type Asking, ask } from './wire.ts'

const PATIENCE = 30_000
const PAUSE = 100
/** Also of a proxy. */
const BUSY: readonly number[] = [502, 503, 504]

/** Who asks; the rest is needed for some actions only. */
type Someone = Pick<Person, 'email' | 'userId'> & Partial<Pick<Person, 'newEmail' | 'id'>>

type Question = readonly [line: string, asking: Asking]

/** A client of the service that only counts complete answers. */
export class Client {
  /** Of an administrator. */
  token = ''
  #links: LinkTokens | undefined
  readonly port: number
  #agent = new Agent({ keepAlive: true })

  constructor(port: number) {
    this.port = port
  }

  /** Undefined without a complete answer. */
  async get(path: string): Promise<Answer | undefined> {
    return await this.#ask(`GET ${path}`)
  }

  /** Undefined without a complete answer. `token` is that of the link, if the action needs one. */
  async ask(action: Action, person: Someone, token: string, requestId?: string): Promise<Answer | undefined> {
    const [line, asking] = this.#question(action, person, token)
    return await this.#ask(line, asking, requestId === undefined ? {} : { 'X-Request-Id': requestId })
  }

  /**
   * What an administrator is answered, asked again while the service is not ready.
   * @throws {Error} it is another status than these
   */
  async demand(line: string, json?: object, statuses: readonly number[] = [200]): Promise<Answer> {
    for (const end = performance.now() + PATIENCE; ; await sleep(PAUSE)) {
      const answer = await this.#ask(line, { token: this.token, json })
      if (answer && statuses.includes(answer.status)) return answer
      const isBusy = answer === undefined || BUSY.includes(answer.status)
      if (!isBusy || performance.now() > end) throw new Error(`${line} was answered ${answer?.status} ${answer?.body}`)
    }
  }

  /**
   * From now on it has links to the preferences, which the caps of an address would keep back for minutes. Signed as a
   * service with this data folder, which has been started, signs them.
   */
  async signLinksOf(data: string): Promise<void> {
    const linkKeys = await existingLinkKeys({ DATA_DIR: data, LINK_KEYS: undefined })
    if (linkKeys === undefined) throw new Error(`There are no link keys in ${data}.`)
    this.#links = new LinkTokens({ linkKeys, digests: createNodeDigests('') })
  }

  #preferencesToken(id: number): string {
    return this.#links?.signPreferences(id, Date.now() + PREFERENCES_LIFE) ?? ''
  }

  hangUp(): void {
    this.#agent.destroy()
    this.#agent = new Agent({ keepAlive: true })
  }

  #question(action: Action, { email, userId, newEmail = '', id = 0 }: Someone, link: string): Question {
    const { token } = this
    switch (action.kind) {
      case 'subscribe':
        return ['POST /subscribe', { form: { name: action.name, email } }]
      case 'subscribe-to-feeds':
        return ['POST /subscribe', { json: { name: action.name, email, feeds: FEEDS } }]
      case 'bounce': {
        const at = new Date().toISOString()
        // Sent again after a lost answer, it is the same report.
        const item = { kind: 'bounce', status: '5.1.1', subscription: id, at, provider_id: `bounce ${userId}` }
        return ['POST /feedback', { token, json: { items: [item] } }]
      }
      case 'ask-to-move':
        return [`POST /preferences/${this.#preferencesToken(id)}/move`, { form: { email: newEmail } }]
      case 'confirm':
      case 'refuse':
      case 'move':
      case 'undo':
        return [`POST /${action.kind}/${link}`, { form: {} }]
      case 'unsubscribe':
        return [`POST /unsubscribe/${link}`, { form: { 'List-Unsubscribe': 'One-Click' } }]
      case 'put-user':
        return [`PUT /users/${userId}`, { token, json: { email, name: action.name, roles: [] } }]
      case 'suspend-user':
      case 'resume-user':
        return [`POST /users/${userId}/${action.kind.slice(0, -'-user'.length)}`, { token }]
      case 'delete-user':
        return [`DELETE /users/${userId}?subscriptions=${action.subscriptions}`, { token }]
    }
  }

  #ask(line: string, asking: Asking = {}, more: Readonly<Record<string, string>> = {}): Promise<Answer | undefined> {
    const headers = { Accept: 'application/json', ...more }
    return ask(this.port, line, { ...asking, headers, agent: this.#agent }).catch(() => undefined)
  }
}
