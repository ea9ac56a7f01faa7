import type { openMemoryService } from '../memory/index.ts'
import type { Caller, LinkPurpose, Mail, SubscribeCommand } from '../src/index.ts'

export type Service = ReturnType<typeof openMemoryService>

export const caller = (id: string, ...roles: string[]): Caller => ({ id, roles, roleSource: 'token', channel: 'http' })
export const ADMIN = caller('root', 'admin')
export const AUDITOR = caller('eve', 'auditor')
export const NO_ROLES = caller('mallory')

export const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

export const subscribe = ({ useCases }: Service, email: string, more: Partial<SubscribeCommand> = {}) =>
  useCases.subscribe.execute({ email, source: SOURCE, ...more })

export const deliver = ({ useCases }: Service, limit = 100) => useCases.deliverOutbox.execute({ limit })

/** Everything that the transport has got, oldest first. */
export const mailsOf = ({ transport }: Service): readonly Mail[] => transport.mails

export const lastMailOf = (service: Service): Mail => {
  const mail = mailsOf(service).at(-1)
  if (!mail) throw new Error('No mail was sent.')
  return mail
}

export const tokenIn = (mail: Mail, purpose: LinkPurpose): string => {
  const link = mail.links[purpose]
  if (link === undefined) throw new Error(`The mail has no link to ${purpose}.`)
  return link.slice(link.lastIndexOf('/') + 1)
}

/** The link of the last mail, once whatever is due was sent. */
export const mailedToken = async (service: Service, purpose: LinkPurpose): Promise<string> => {
  await deliver(service)
  return tokenIn(lastMailOf(service), purpose)
}

export const confirm = ({ useCases }: Service, token: string) =>
  useCases.confirmSubscription.execute({ token, source: SOURCE })
export const refuse = ({ useCases }: Service, token: string) =>
  useCases.refuseSubscription.execute({ token, source: SOURCE })
export const unsubscribe = ({ useCases }: Service, token: string) =>
  useCases.endSubscription.execute({ token, source: SOURCE })

export const stored = ({ useCases }: Service, id: number) =>
  useCases.getSubscription.execute({ subscriptionId: String(id) }, ADMIN)

export const consentsOf = ({ storage }: Service, id: number) =>
  storage.unitOfWork.run(({ consents }) => consents.list(id))

export const outboxOf = async ({ storage }: Service) =>
  (await storage.readers.outbox.list({ after: 0, limit: 200 })).items

export const auditOf = async ({ storage }: Service) =>
  (await storage.readers.audit.list({ after: 0, limit: 200 })).items

export const putUser = ({ useCases }: Service, userId: string, roles: readonly string[] = [], name = '') =>
  useCases.putUser.execute({ userId, email: `${userId}.mail@example.com`, name, roles }, ADMIN)
