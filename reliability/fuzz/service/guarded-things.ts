import { GUARDED } from '../dictionary.ts'

const USERS = 5

/** What nobody who writes inputs may change: made before, looked at again and again. */
export class GuardedThings {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  #before: string | undefined

  constructor(url: string, token: string) {
    this.#url = url
    this.#headers = { Authorization: `Bearer ${token}` }
  }

  /** @throws {Error} the service does not take them */
  async make(): Promise<void> {
    for (let n = 1; n <= USERS; n++) {
      const user = { email: `${GUARDED}-${n}@example.com`, name: GUARDED, roles: n === 1 ? ['admin'] : [] }
      await this.#send('PUT', `/users/${GUARDED}-${n}`, user)
    }
    await this.#send('PUT', `/feeds/${GUARDED}`, { title: GUARDED })
    await this.#send('PUT', '/feeds/news', { title: 'News' })
    for (let n = 1; n <= USERS; n++)
      await this.#send('POST', '/subscribe', { email: `${GUARDED}-${n}@example.com`, feed: GUARDED })
    this.#before = await this.#read()
  }

  /** What is wrong with them. */
  async problem(): Promise<string | undefined> {
    return (await this.#read()) === this.#before ? undefined : 'guarded: what was to be let alone has changed'
  }

  async #read(): Promise<string> {
    const users = Array.from({ length: USERS }, (_, n) => `/users/${GUARDED}-${n + 1}`)
    const paths = [...users, `/feeds/${GUARDED}`, `/subscriptions?feed=${GUARDED}`]
    const texts: string[] = []
    for (const path of paths) texts.push(await this.#text(path))
    return texts.join('\n')
  }

  async #text(path: string): Promise<string> {
    const answer = await fetch(this.#url + path, { headers: this.#headers })
    return `${await answer.text()}`
  }

  async #send(method: string, path: string, fields: object): Promise<void> {
    const headers = { ...this.#headers, 'Content-Type': 'application/json' }
    const answer = await fetch(this.#url + path, { method, headers, body: JSON.stringify(fields) })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}`)
  }
}
