import type { Acknowledgement } from './operation.ts'

const ANSWER = /^HTTP\/1\.1 (\d{3}) /
const REQUEST_ID = /^X-Request-Id: (\S+)\r$/im
const MESSAGE_ID = /^Message-ID: <([^>]+)>\r$/im
const END_OF_MAIL = '\r\n.\r\n'
const TOKEN = /^eyJ\S+$/gm
const DELETION = /^\{"id":"([^"]+)","outcome":"deleted"/gm

/** The request id that stands for a command that deletes a user. */
export const commandDeleting = (userId: string): string => `command deleting ${userId}`

/** Finds promises in what the service sends: HTTP answers, mails over SMTP, output of commands. */
export class Conversations {
  readonly #said = new Map<string, string>()

  /** On a socket. */
  hear(socket: string, bytes: Uint8Array): Acknowledgement[] {
    const text = Buffer.from(bytes).toString('latin1')
    const [, status] = ANSWER.exec(text) ?? []
    if (status === undefined) return this.#mail(socket, text)
    const [, requestId = ''] = REQUEST_ID.exec(text) ?? []
    return [{ kind: 'answered', requestId, status: Number(status) }]
  }

  /** On standard output. */
  read(bytes: Uint8Array): Acknowledgement[] {
    const text = Buffer.from(bytes).toString('latin1')
    const deleted = [...text.matchAll(DELETION)].map(([, userId = '']) => commandDeleting(userId))
    return [
      ...[...text.matchAll(TOKEN)].map(([token]): Acknowledgement => ({ kind: 'printed', text: token })),
      ...deleted.map((requestId): Acknowledgement => ({ kind: 'answered', requestId, status: 204 })),
    ]
  }

  // A mail may come in several pieces. The relay has it once its last line is sent.
  #mail(socket: string, text: string): Acknowledgement[] {
    const said = (this.#said.get(socket) ?? '') + text
    this.#said.set(socket, said)
    if (!said.endsWith(END_OF_MAIL)) return []
    this.#said.delete(socket)
    const [, messageId] = MESSAGE_ID.exec(said) ?? []
    return messageId === undefined ? [] : [{ kind: 'mailed', messageId }]
  }
}
