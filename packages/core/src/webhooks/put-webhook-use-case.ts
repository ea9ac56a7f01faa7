import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { InvalidInput } from '../errors.ts'
import { EVENT_TYPES, type EventType } from '../events/event-store.ts'
import { problemWithUrl } from '../feeds/return-url.ts'
import type { Instant } from '../instant.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { readAll } from '../read-all.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { tried } from './read-webhooks-use-cases.ts'
import { parseWebhookName, type TriedWebhook, type Webhook } from './webhook.ts'
import { recovered } from './webhook-progress.ts'

export interface PutWebhookCommand extends WebhookFields {
  readonly name: string
  readonly precondition?: Precondition<Webhook> | undefined
}

export interface PutWebhookResult {
  readonly webhook: TriedWebhook
  readonly created: boolean
  /** Of a new one: shown only here. */
  readonly secret: string | undefined
}

export class PutWebhookUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'sealer' | 'webhookSecrets' | 'domainNames' | 'webhookTransport'
> {
  static readonly permission = 'webhooks:write'
  static readonly action = 'webhook.put'

  /**
   * Creates the webhook, which receives the events from now on, or replaces the one with this name, which continues where
   * it is and keeps its secret. One that is enabled again, or has another URL, receives at once the events that have waited.
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid, or nothing would ever be sent to such a URL
   */
  async execute(command: PutWebhookCommand, caller: Caller): Promise<PutWebhookResult> {
    const attempt = await this.ports.access.require(caller, PutWebhookUseCase, command.name)
    const seed = this.ports.webhookSecrets.seed()
    // A new target begins behind the newest event: what has happened before must have its place.
    await this.ports.sealer.sealIfPossible()
    return await this.ports.unitOfWork.run(async (stores) => {
      const name = parseWebhookName(command.name)
      const current = await stores.webhooks.find(name)
      requireCondition(command.precondition, current)
      const { enabled, ...fields } = readWebhookFields(command, this.ports)
      const now = this.ports.clock.now()
      const old = current ?? { name, secret: seed, previousSecrets: [], disabled: undefined, createdAt: now }
      const webhook: Webhook = { ...old, ...fields, ...switched(old, enabled, now), updatedAt: now }
      await storeWebhook(stores, webhook, current)
      await this.ports.trail.done(stores.audit, caller, attempt)
      const created = current === undefined
      return {
        webhook: await tried(stores.webhookDeliveries, webhook),
        created,
        secret: created ? this.ports.webhookSecrets.reveal(name, seed) : undefined,
      }
    })
  }
}

/** Whether anything is sent to it from now on; one that is disabled already keeps why and since when. */
export const switched = (
  { disabled }: Pick<Webhook, 'disabled'>,
  enabled: boolean,
  since: Instant,
): Pick<Webhook, 'disabled'> => ({ disabled: enabled ? undefined : (disabled ?? { because: 'by-hand', since }) })

/** Stores the webhook in place of `current`; one that is enabled again, or has another URL, gets what has waited. */
export const storeWebhook = async (stores: Stores, webhook: Webhook, current: Webhook | undefined): Promise<void> => {
  await stores.webhooks.put(webhook)
  const isOther = current !== undefined && (current.disabled !== undefined || current.url !== webhook.url)
  if (isOther && webhook.disabled === undefined) await startAgain(stores, webhook)
}

const startAgain = async ({ webhookDeliveries }: Stores, { name, updatedAt }: Webhook): Promise<void> => {
  const progress = await webhookDeliveries.progress(name)
  if (progress) await webhookDeliveries.putProgress(name, recovered(progress, updatedAt))
  await webhookDeliveries.retryAll(name, { parked: false })
}

/** What can be said of a webhook, as it came. */
export interface WebhookFields {
  readonly url?: string | undefined
  /** Which events it wants; all that there are if none is given. */
  readonly types?: readonly string[] | undefined
  /** Whether anything is sent to it, as is if nothing is said. */
  readonly enabled?: boolean | undefined
}

type Judges = Pick<Dependencies, 'domainNames' | 'webhookTransport'>

/** @throws {InvalidInput} with the problems of every field that has one */
const readWebhookFields = ({ url, types, enabled }: WebhookFields, judges: Judges) => {
  const read = webhookFieldReaders(judges)
  return readAll({ url: () => read.url(url), types: () => read.types(types), enabled: () => read.enabled(enabled) })
}

/** What becomes of each field: if it is null or missing, its default, if it has one. */
export const webhookFieldReaders = (judges: Judges) => ({
  url: (url: string | null | undefined) => parseUrl(url ?? '', judges),
  types: (types: readonly string[] | null | undefined) => parseTypes(types ?? []),
  enabled: (enabled: boolean | null | undefined) => enabled ?? true,
})

const parseUrl = (url: string, { domainNames, webhookTransport }: Judges): string => {
  const message =
    url === ''
      ? 'Say where events are to be sent.'
      : (problemWithUrl(url, domainNames) ?? webhookTransport.problemWith(url))
  if (message !== undefined) throw new InvalidInput([{ field: 'url', message }])
  return url
}

const parseTypes = (types: readonly string[]): readonly EventType[] => {
  const unknown = types.find((type) => !EVENT_TYPES.some((known) => known === type))
  if (unknown !== undefined)
    throw new InvalidInput([{ field: 'types', message: `Use some of ${EVENT_TYPES.join(', ')}; or none for all.` }])
  return types.length === 0 ? EVENT_TYPES : EVENT_TYPES.filter((type) => types.includes(type))
}
