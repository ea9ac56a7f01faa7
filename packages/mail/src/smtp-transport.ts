import type { MailTransport } from '@rollcall/core'
import { RelayTrouble } from './relay.ts'
import { CONNECTIONS, type SmtpSender, type SmtpTransportOptions, smtpSender } from './smtp-sender.ts'
import { SmtpThread, type SmtpThreadOptions } from './smtp-thread.ts'

export type { SmtpTransportOptions } from './smtp-sender.ts'

/**
 * Hands mails to a relay, over a pool of connections.
 * @throws {MailSettingsNotUsable} relay, sender or templates are not usable as given
 */
export const createSmtpTransport = (options: SmtpTransportOptions): MailTransport => {
  const sender = smtpSender(options)
  // What is due is begun in the same turn of the event loop.
  return transportOver(sender, { ...sender, forget: async () => {} })
}

/**
 * The same from a thread of its own, so that a server's answers do not wait for mails: the request right after a sign-up
 * would tell by its time whether there was one. `onCrash` is called when the thread has ended by itself.
 * @throws {MailSettingsNotUsable} relay, sender or templates are not usable as given
 */
export const createThreadedSmtpTransport = (
  options: SmtpTransportOptions,
  onCrash: SmtpThreadOptions['onCrash'],
): MailTransport => transportOver(smtpSender(options), new SmtpThread({ smtp: options, onCrash }))

const transportOver = (
  { origin: { domain }, show }: Pick<SmtpSender, 'origin' | 'show'>,
  sender: Pick<SmtpThread, 'send' | 'forget' | 'close'>,
): MailTransport => {
  let closed = false
  return {
    domain,
    keepsMails: false,
    concurrency: CONNECTIONS,
    show,
    send: async (mail, isDue) => {
      if (closed) throw new RelayTrouble('The mail transport was closed.')
      await sender.send(mail, isDue)
    },
    forget: async (messageIds) => await sender.forget(messageIds),
    close: async () => {
      closed = true
      await sender.close()
    },
  }
}
