import { Agent, request } from 'node:http'
import type { Answer } from '../ledger/ledger.ts'
import type { Action } from '../ledger/model.ts'
import { tokenIdOf } from '../ledger/person.ts'

interface Question {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const PATIENCE = 30_000

/** A client of the service that only counts complete answers. */
export class Client {
  /** Of an administrator. */
  token = ''
  readonly #port: number
  #agent = new Agent({ keepAlive: true })

  constructor(port: number) {
    this.#port = port
  }

  /** Undefined without a complete answer. */
  async get(path: string): Promise<Answer | undefined> {
    return await this.#ask({ method: 'GET', path })
  }

  /** Undefined without a complete answer. `token` is that of the link, where the action needs one. */
  async ask(action: Action, { email, userId }: { email: string; userId: string }, token: string) {
    return await this.#ask(this.#question(action, email, userId, token))
  }

  /** Closes its connections. */
  hangUp(): void {
    this.#agent.destroy()
    this.#agent = new Agent({ keepAlive: true })
  }

  #question(action: Action, email: string, userId: string, token: string): Question {
    switch (action.kind) {
      case 'subscribe':
        return form('/subscribe', { name: action.name, email })
      case 'confirm':
      case 'refuse':
        return form(`/${action.kind}/${token}`, {})
      case 'unsubscribe':
        return form(`/unsubscribe/${token}`, { 'List-Unsubscribe': 'One-Click' })
      case 'put-user': {
        const body = JSON.stringify({ email, name: action.name, roles: [] })
        const headers = { ...this.#authorization, 'Content-Type': 'application/json' }
        return { method: 'PUT', path: `/users/${userId}`, headers, body }
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
      case 'revoke-token':
        return { method: 'DELETE', path: `/tokens/${tokenIdOf(userId)}`, headers: this.#authorization }
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
      const options = { port: this.#port, method, path, agent: this.#agent, headers: all }
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
