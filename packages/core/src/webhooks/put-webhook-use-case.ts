import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { PreconditionFailed } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { DomainNames } from '../ports/domain-names.ts'
import type { Stores, UnitOfWork } from '../ports/unit-of-work.ts'
import type { WebhookTransport } from '../ports/webhook-transport.ts'
import type { Precondition } from '../users/user.ts'
import { parseWebhookName, type Webhook } from './webhook.ts'
import { readWebhookFields, type WebhookFields } from './webhook-fields.ts'
import { recovered } from './webhook-progress.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

export interface PutWebhookCommand extends WebhookFields {
  readonly name: string
  readonly precondition?: Precondition<Webhook> | undefined
}

export interface PutWebhookResult {
  readonly webhook: Webhook
  readonly created: boolean
  /** Of a new one: told this once. */
  readonly secret: string | undefined
}

export class PutWebhookUseCase {
  readonly #access: AccessControl
  readonly #unitOfWork: UnitOfWork
  readonly #trail: AuditTrail
  readonly #clock: Clock
  readonly #secrets: WebhookSecrets
  readonly #judges: { readonly domainNames: DomainNames; readonly webhookTransport: WebhookTransport }

  constructor(ports: {
    access: AccessControl
    unitOfWork: UnitOfWork
    trail: AuditTrail
    clock: Clock
    webhookSecrets: WebhookSecrets
    domainNames: DomainNames
    webhookTransport: WebhookTransport
  }) {
    this.#access = ports.access
    this.#unitOfWork = ports.unitOfWork
    this.#trail = ports.trail
    this.#clock = ports.clock
    this.#secrets = ports.webhookSecrets
    this.#judges = ports
  }

  /**
   * Creates the webhook, which is sent what happens from now on, or replaces the one with this name, which goes on where
   * it is and keeps its secret. One that is enabled again is sent at once what has waited for it.
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid, or nothing would ever be sent to such a URL
   */
  async execute(command: PutWebhookCommand, caller: Caller): Promise<PutWebhookResult> {
    const attempt = { action: 'webhook.put', target: command.name } as const
    this.#access.require(caller, 'webhooks:write', attempt)
    const seed = this.#secrets.seed()
    return await this.#unitOfWork.run(async (stores) => {
      const name = parseWebhookName(command.name)
      const current = await stores.webhooks.find(name)
      if (command.precondition?.(current) === false) throw new PreconditionFailed()
      const { enabled, ...fields } = readWebhookFields(command, this.#judges)
      const now = this.#clock.now()
      const old = current ?? { name, secret: seed, previousSecret: undefined, disabled: undefined, createdAt: now }
      const disabled = enabled ? undefined : (old.disabled ?? ({ because: 'by-hand', since: now } as const))
      const webhook: Webhook = { ...old, ...fields, disabled, updatedAt: now }
      await stores.webhooks.put(webhook)
      if (old.disabled !== undefined && enabled) await startAgain(stores, webhook)
      await this.#trail.done(stores.audit, caller, attempt)
      const created = current === undefined
      return { webhook, created, secret: created ? this.#secrets.reveal(name, seed) : undefined }
    })
  }
}

const startAgain = async ({ webhookDeliveries }: Stores, { name }: Webhook): Promise<void> => {
  const progress = await webhookDeliveries.progress(name)
  if (progress) await webhookDeliveries.putProgress(name, recovered(progress))
  await webhookDeliveries.retryAll(name, { parked: false })
}
