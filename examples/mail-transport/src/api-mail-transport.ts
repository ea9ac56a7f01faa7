import { type Mail, MailRefusedPermanently, type MailTransport, MailUnanswered, MailWithdrawn } from '@rollcall/core'

export interface MailApi {
  /** Where a mail is posted as JSON. */
  readonly url: string
  readonly token: string
  /** What stands in `From`. Its domain is the right side of Message-IDs, too. */
  readonly from: string
}

/** Hands mails to a provider that takes them as JSON over HTTP. */
export class ApiMailTransport implements MailTransport {
  readonly domain: string
  /** What is sent is gone: an erasure has nothing to ask here. */
  readonly keepsMails = false
  readonly concurrency = 10
  readonly #api: MailApi
  readonly #closing = new AbortController()

  constructor(api: MailApi) {
    this.domain = api.from.slice(api.from.lastIndexOf('@') + 1)
    this.#api = api
  }

  async send(mail: Mail, isDue = async () => true): Promise<void> {
    // Its reader may have been erased a moment ago.
    if (!(await isDue())) throw new MailWithdrawn()
    const { url, token, from } = this.#api
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({
        from,
        to: mail.to,
        // Where a mail that cannot be delivered comes back to, if it is to come back to Rollcall.
        return_path: mail.returnTo,
        // The same for every attempt, so that the provider and the reader's mailbox can tell a repetition.
        message_id: mail.messageId,
        ...wordsOf(mail),
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(mail.links.unsubscribe !== undefined && {
            'List-Unsubscribe': `<${mail.links.unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      }),
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(60_000)]),
    }).catch(failed)
    await answer.body?.cancel()
    if (answer.ok) return
    // 422: this mail will never be taken. 502 and 504: the provider may have taken it all the same. Anything else may pass,
    // and Rollcall tries again for two days.
    if (answer.status === 422) throw new MailRefusedPermanently('The provider refuses this mail.')
    if ([502, 504].includes(answer.status)) throw new MailUnanswered(`The provider answered ${answer.status}.`)
    throw new Error(`The provider answered ${answer.status}.`)
  }

  async forget(): Promise<void> {}

  /** Breaks off what is under way: the provider may have taken it. */
  async close(): Promise<void> {
    this.#closing.abort()
  }
}

const WITHOUT_CONNECTION = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** Without a connection nothing was sent. Else the provider may have taken the mail, and another try may make a copy. */
const failed = (error: Error): never => {
  const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException
  if (WITHOUT_CONNECTION.includes(code)) throw error
  throw new MailUnanswered('The provider did not answer, and may have taken the mail.', { cause: error })
}

/** A mail is facts; the words are the transport's. */
const wordsOf = ({ kind, feed, links }: Mail): { subject: string; text: string } => {
  const leave = `To unsubscribe: ${links.unsubscribe}`
  switch (kind) {
    case 'confirmation':
      return {
        subject: `Confirm your subscription: ${feed.title}`,
        text: `Confirm: ${links.confirm}\nThis was not me: ${links.refuse}\n${leave}`,
      }
    case 'reminder':
      return {
        subject: `A reminder: confirm your subscription to ${feed.title}`,
        text: `Confirm: ${links.confirm}\nThis was not me: ${links.refuse}\n${leave}`,
      }
    case 'already-subscribed':
      return { subject: `You are subscribed: ${feed.title}`, text: leave }
    case 'welcome':
      return { subject: `Welcome: ${feed.title}`, text: leave }
    case 'move':
      return { subject: 'Your new address', text: `Confirm it: ${links.move}` }
    case 'moved':
      return { subject: 'Your subscriptions have moved', text: `This was not me: ${links.undo}\n${leave}` }
    case 'preferences':
      return { subject: 'Your subscriptions', text: `See and change them: ${links.preferences}\n${leave}` }
  }
}
