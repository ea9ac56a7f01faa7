import { openMemoryService } from '../memory/index.ts'
import {
  DeliverEventsUseCase,
  MINUTE,
  type PutWebhookCommand,
  type WebhookMessage,
  type WebhookName,
  WebhookRefused,
} from '../src/index.ts'
import { WebhookSecrets } from '../src/webhooks/webhook-secrets.ts'
import { ADMIN, putUser, type Service } from './cast.ts'

export const SHOP = 'shop' as WebhookName
export const URL = 'https://shop.example/events'

export const putWebhook = (at: Service, command: Partial<PutWebhookCommand> = {}) =>
  at.useCases.putWebhook.execute({ name: SHOP, url: URL, ...command }, ADMIN)

/** A service that sends its events to a shop. */
export const withWebhook = async (command: Partial<PutWebhookCommand> = {}) => {
  const at = openMemoryService()
  const { secret = '', webhook } = await putWebhook(at, command)
  return { at, secret, webhook }
}

/** All that is due, until the end. */
export const deliverEvents = async (at: Service, worker = at.useCases.deliverEvents, command = {}) => {
  const rounds = [await worker.advance(command), await worker.finish()]
  const trouble = rounds.find((round) => round.trouble !== undefined)?.trouble
  if (trouble !== undefined) throw trouble
  return {
    sent: rounds.reduce((sum, { sent }) => sum + sent, 0),
    failures: rounds.flatMap(({ failures }) => failures),
  }
}

export const failWith = (at: Service, error: unknown): void => {
  at.webhookTransport.otherSide = async () => {
    throw error
  }
}

export const heal = (at: Service): void => {
  at.webhookTransport.otherSide = async () => {}
}

export const eventIn = ({ body }: WebhookMessage) => JSON.parse(body)
export const eventsSent = (at: Service) => at.webhookTransport.messages.map(eventIn)
export const typesSent = (at: Service): string[] => eventsSent(at).map(({ type }) => type)

export const deliveriesOf = async ({ storage }: Service) =>
  (await storage.readers.webhookDeliveries.list({ after: 0, limit: 200 })).items

export const progressOf = ({ storage }: Service, name = SHOP) =>
  storage.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.progress(name))

export const anotherEventWorker = ({ ports, storage }: Service): DeliverEventsUseCase => {
  const trail = { done: async () => undefined } as never
  const webhookSecrets = new WebhookSecrets(ports)
  return new DeliverEventsUseCase({
    ...ports,
    readers: storage.readers,
    trail,
    webhookSecrets,
    publicUrl: 'https://rollcall.example',
  })
}

export const BUSY = new WebhookRefused('The target answered 500.')
export const getWebhook = ({ useCases }: Service) => useCases.getWebhook.execute({ name: SHOP }, ADMIN)

export const failing = async (error: unknown = BUSY, users = ['ada']) => {
  const { at } = await withWebhook()
  for (const user of users) await putUser(at, user)
  failWith(at, error)
  return at
}

/** As the worker does, for so long. */
export const work = async (at: Service, milliseconds: number, step = 5 * MINUTE) => {
  const failures = []
  for (let passed = 0; passed < milliseconds; passed += step) {
    failures.push(...(await deliverEvents(at)).failures)
    at.clock.advance(step)
  }
  return failures
}
