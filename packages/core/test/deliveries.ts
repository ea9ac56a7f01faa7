import { openMemoryService } from '../memory/index.ts'
import { DeliverOutboxUseCase, LinkTokens, MailRefusedPermanently } from '../src/index.ts'
import { type Service, subscribe } from './cast.ts'

export const EMAIL = 'ada@example.com'
export const REFUSED = new MailRefusedPermanently('550 5.1.1 <ada@example.com>: no such user')

/** A service with one mail in the outbox. */
export const withMail = async (email = EMAIL) => {
  const at = openMemoryService()
  const { id } = await subscribe(at, email)
  return { at, id }
}

export const failWith = (at: Service, error: unknown): void => {
  at.transport.otherSide = async () => {
    throw error
  }
}

export const heal = (at: Service): void => {
  at.transport.otherSide = async () => {}
}

export const erase = async (at: Service, id: number): Promise<void> =>
  at.storage.unitOfWork.run(async ({ outbox, subscriptions }) => {
    const found = await subscriptions.find(id)
    if (found?.lastMail !== undefined) await outbox.remove(found.lastMail)
    await subscriptions.erase(id)
  })

export const anotherWorker = ({ ports }: Service): DeliverOutboxUseCase =>
  new DeliverOutboxUseCase({
    ...ports,
    jumpGuardedClock: ports.clock,
    bounceAddresses: undefined,
    tokens: new LinkTokens(ports),
    publicUrl: 'https://rollcall.example',
  })

/** Which mails of the subscription the storage believes the transport to keep. */
export const kept = ({ storage }: Service, id: number) => storage.unitOfWork.run(({ keptMails }) => keptMails.list(id))
