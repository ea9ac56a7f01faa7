import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { describeFailure } from '../outbox/outcomes.ts'
import { timestamp } from '../published/timestamp.ts'
import { UseCase } from '../use-case.ts'
import { webhookNamed } from './read-webhooks-use-cases.ts'
import type { WebhookName } from './webhook.ts'
import { headOf, TEST_TYPE, type WebhookAnswer } from './webhook-answer.ts'
import { answerOf } from './webhook-transport.ts'

export class ListWebhookAnswersUseCase extends UseCase<'access', 'webhooks' | 'webhookDeliveries'> {
  static readonly permission = 'webhooks:read'
  static readonly action = 'webhook.read'

  /**
   * What a target said of late, the newest first.
   * @throws {WebhookNotFound}
   */
  async execute({ name: given }: { readonly name: string }, caller: Caller): Promise<readonly WebhookAnswer[]> {
    await this.ports.access.require(caller, ListWebhookAnswersUseCase, given)
    const { webhooks, webhookDeliveries } = this.ports.readers
    const { name } = await webhookNamed(webhooks, given)
    return await webhookDeliveries.answers(name)
  }
}

/** Since when targets that do not take their events have failed. */
export class ListFailingWebhooksUseCase extends UseCase<'access', 'webhooks' | 'webhookDeliveries'> {
  static readonly permission = 'webhooks:read'
  static readonly action = 'webhook.read'

  async execute(_: object, caller: Caller): Promise<ReadonlyMap<WebhookName, number>> {
    await this.ports.access.require(caller, ListFailingWebhooksUseCase)
    return new Map(await this.ports.readers.webhookDeliveries.failing())
  }
}

export interface ReplayEventCommand {
  readonly name: string
  /** Of the event. */
  readonly position: number
}

export class ReplayEventUseCase extends UseCase<'access' | 'unitOfWork' | 'trail', 'events'> {
  static readonly permission = 'webhooks:write'
  static readonly action = 'webhook.redeliver'

  /**
   * Queues one event again, under the id that it had.
   * @throws {WebhookNotFound}
   * @throws {InvalidInput} there is no such event, or it is no longer kept
   */
  async execute({ name: given, position }: ReplayEventCommand, caller: Caller): Promise<void> {
    const attempt = await this.ports.access.require(caller, ReplayEventUseCase, given)
    const [event] = (await this.ports.readers.events.list({ after: position - 1, limit: 1 })).items
    if (event?.position !== position)
      throw new InvalidInput([{ field: 'position', message: 'There is no such event, or it is no longer kept.' }])
    await this.ports.unitOfWork.run(async ({ webhooks, webhookDeliveries, audit }) => {
      const { name } = await webhookNamed(webhooks, given)
      await webhookDeliveries.add(name, [event])
      await this.ports.trail.done(audit, caller, attempt, `event ${position}`)
    })
  }
}

export class TestWebhookUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'randomness' | 'publicUrl' | 'webhookSecrets' | 'webhookTransport',
  'webhooks'
> {
  static readonly permission = 'webhooks:write'
  static readonly action = 'webhook.test'

  /**
   * Sends a signed test event at once, past the queue, also to a target that is off; what the target says to it is kept
   * among its answers.
   * @throws {WebhookNotFound}
   */
  async execute({ name: given }: { readonly name: string }, caller: Caller): Promise<WebhookAnswer> {
    const attempt = await this.ports.access.require(caller, TestWebhookUseCase, given)
    const { clock, randomness, publicUrl, webhookSecrets, webhookTransport, unitOfWork, trail } = this.ports
    const webhook = await webhookNamed(this.ports.readers.webhooks, given)
    await unitOfWork.run(({ audit }) => trail.done(audit, caller, attempt))
    const at = clock.now()
    const id = `test-${randomness.hex(8)}`
    const event = {
      specversion: '1.0',
      id,
      source: publicUrl,
      type: TEST_TYPE,
      subject: webhook.name,
      time: timestamp(at),
      datacontenttype: 'application/json',
      data: {},
    }
    const message = { url: webhook.url, id, body: JSON.stringify(event), secrets: webhookSecrets.signing(webhook, at) }
    const said = await webhookTransport.send(message).then(
      (answer) => ({ answer, error: undefined }),
      (error: unknown) => ({ answer: answerOf(error), error: describeFailure(error) }),
    )
    const answer: WebhookAnswer = {
      webhook: webhook.name,
      at: clock.now(),
      position: 0,
      type: TEST_TYPE,
      subject: webhook.name,
      attempt: 1,
      status: said.answer?.status,
      error: said.error,
      head: headOf(said.answer?.head, message.body),
    }
    await unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.keepAnswers(webhook.name, [answer]))
    return answer
  }
}
