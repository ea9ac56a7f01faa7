import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, FEEDS } from './ledger.ts'
import type { Action } from './model.ts'
import type { Person } from './person.ts'

interface Question {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const PATIENCE = 30_000
const PAUSE = 100
/** Also of a proxy. */
const BUSY: readonly number[] = [502, 503, 504]
const JSON_BODY = { 'Content-Type': 'application/json' }

/** Who asks; the rest is needed for some actions only. */
type Asking = Pick<Person, 'email' | 'userId'> & Partial<Pick<Person, 'newEmail' | 'id'>>

/** A client of the service that only counts complete answers. */
export class Client {
  /** Of an administrator. */
  token = ''
  /** The token of a link to the preferences, which the caps of an address would keep back for minutes. */
  preferencesToken: (id: number) => string = () => ''
  readonly port: number
  #agent = new Agent({ keepAlive: true })

  constructor(port: number) {
    this.port = port
  }

  /** Undefined without a complete answer. */
  async get(path: string): Promise<Answer | undefined> {
    return await this.#ask({ method: 'GET', path })
  }

  /** Undefined without a complete answer. `token` is that of the link, if the action needs one. */
  async ask(action: Action, person: Asking, token: string, requestId?: string): Promise<Answer | undefined> {
    const question = this.#question(action, person, token)
    const headers = { ...question.headers, ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }) }
    return await this.#ask({ ...question, headers })
  }

  /**
   * What an administrator is answered, asked again while the service is not ready.
   * @throws {Error} it is another status than these
   */
  async demand(method: string, path: string, content?: object, statuses: readonly number[] = [200]): Promise<Answer> {
    const body = content && JSON.stringify(content)
    const headers = { ...this.#authorization, ...(body === undefined ? {} : JSON_BODY) }
    for (const end = performance.now() + PATIENCE; ; await sleep(PAUSE)) {
      const answer = await this.#ask({ method, path, headers, ...(body === undefined ? {} : { body }) })
      if (answer && statuses.includes(answer.status)) return answer
      const isBusy = answer === undefined || BUSY.includes(answer.status)
      if (!isBusy || performance.now() > end)
        throw new Error(`${method} ${path} was answered ${answer?.status} ${answer?.body}`)
    }
  }

  /** Closes its connections. */
  hangUp(): void {
    this.#agent.destroy()
    this.#agent = new Agent({ keepAlive: true })
  }

  #question(action: Action, { email, userId, newEmail, id = 0 }: Asking, token: string): Question {
    switch (action.kind) {
      case 'subscribe':
        return form('/subscribe', { name: action.name, email })
      case 'subscribe-to-feeds': {
        const body = JSON.stringify({ name: action.name, email, feeds: FEEDS })
        return { method: 'POST', path: '/subscribe', headers: JSON_BODY, body }
      }
      case 'bounce': {
        const at = new Date().toISOString()
        const item = { kind: 'bounce', status: '5.1.1', subscription: id, at }
        // Sent again after a lost answer, it is the same report.
        const body = JSON.stringify({ items: [{ ...item, provider_id: `bounce ${userId}` }] })
        return { method: 'POST', path: '/feedback', headers: { ...this.#authorization, ...JSON_BODY }, body }
      }
      case 'ask-to-move':
        return form(`/preferences/${this.preferencesToken(id)}/move`, { email: newEmail ?? '' })
      case 'confirm':
      case 'refuse':
      case 'move':
      case 'undo':
        return form(`/${action.kind}/${token}`, {})
      case 'unsubscribe':
        return form(`/unsubscribe/${token}`, { 'List-Unsubscribe': 'One-Click' })
      case 'put-user': {
        const body = JSON.stringify({ email, name: action.name, roles: [] })
        return { method: 'PUT', path: `/users/${userId}`, headers: { ...this.#authorization, ...JSON_BODY }, body }
      }
      case 'suspend-user':
      case 'resume-user': {
        const path = `/users/${userId}/${action.kind.slice(0, -'-user'.length)}`
        return { method: 'POST', path, headers: this.#authorization }
      }
      case 'delete-user': {
        const path = `/users/${userId}?subscriptions=${action.subscriptions}`
        return { method: 'DELETE', path, headers: this.#authorization }
      }
    }
  }

  get #authorization(): Record<string, string> {
    return { Authorization: `Bearer ${this.token}` }
  }

  #ask({ method, path, headers = {}, body }: Question): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const length: Record<string, string> =
        body === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` }
      const all = { Accept: 'application/json', ...headers, ...length }
      const options = { port: this.port, method, path, agent: this.#agent, headers: all }
      const asked = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        // Also after a truncated answer, which `complete` shows.
        response.on('close', () =>
          resolve(response.complete ? { status: response.statusCode ?? 0, body: text } : undefined),
        )
        response.on('error', () => undefined)
      })
      asked.setTimeout(PATIENCE, () => asked.destroy())
      asked.on('error', () => resolve(undefined))
      asked.end(body)
    })
  }
}

const form = (path: string, fields: Readonly<Record<string, string>>): Question => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})
