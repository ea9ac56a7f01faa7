import type { MailTransport } from './mail-transport.ts'

/** Has the transport forget mails whose people were erased. That is done by then: what it throws is not for who asked. */
export const forgetMails = async (
  transport: Pick<MailTransport, 'forget'>,
  messageIds: readonly string[],
): Promise<void> => {
  if (messageIds.length === 0) return
  const forget = async () => await transport.forget(messageIds)
  await forget().catch(() => undefined)
}
