import type { Promised } from '../disk/happening.ts'

const ANSWER = /^HTTP\/1\.1 (\d{3}) /
const REQUEST_ID = /^X-Request-Id: (\S+)\r$/im
const MESSAGE_ID = /^Message-ID: <([^>]+)>\r$/im
const END_OF_MAIL = '\r\n.\r\n'
const TOKEN = /^eyJ\S+$/m

/** Understands what the service says to others, as it says it: answers over HTTP, mails over SMTP, tokens it prints. */
export class Conversations {
  readonly #said = new Map<string, string>()

  hear(target: string, bytes: Uint8Array): Promised | undefined {
    const text = Buffer.from(bytes).toString('latin1')
    const [, status] = ANSWER.exec(text) ?? []
    if (status !== undefined) {
      const [, requestId = ''] = REQUEST_ID.exec(text) ?? []
      return { kind: 'answered', requestId, status: Number(status) }
    }
    const [token] = TOKEN.exec(text) ?? []
    if (token !== undefined) return { kind: 'printed', text: token }
    return this.#mail(target, text)
  }

  // A mail may come in any number of pieces; it is the relay's once its last line is sent.
  #mail(target: string, text: string): Promised | undefined {
    const said = (this.#said.get(target) ?? '') + text
    this.#said.set(target, said)
    if (!said.endsWith(END_OF_MAIL)) return undefined
    this.#said.delete(target)
    const [, messageId] = MESSAGE_ID.exec(said) ?? []
    return messageId === undefined ? undefined : { kind: 'mailed', messageId }
  }
}
