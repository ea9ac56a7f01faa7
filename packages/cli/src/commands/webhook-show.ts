import { webhookRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { printRecord } from '../record-printer.ts'
import type { Verb } from '../verb.ts'
import { webhookState } from '../webhook-state.ts'

export const webhookShow: Verb = {
  name: 'show',
  summary: 'Show where events are sent, and its state',
  details: 'Its secret is never shown again: if it is lost, make a new one with `rollcall webhook rotate`.',
  examples: ['rollcall webhook show shop', 'rollcall webhook show shop --json'],
  define: (command, session) => {
    command.argument('<name>', 'of the webhook').action(async (name: string) => {
      const webhook = await session.withUseCases(({ getWebhook }, caller) => getWebhook.execute({ name }, caller))
      await printRecord(session, webhookRecord(webhook), [
        ['Name', webhook.name],
        ['URL', webhook.url],
        ['Types', webhook.types.join(' ')],
        ['State', webhookState(webhook)],
        ['Disabled', shortInstantText(webhook.disabled?.since)],
        ['Old secret until', shortInstantText(webhook.previousSecret?.until)],
        ['Created', shortInstantText(webhook.createdAt)],
        ['Updated', shortInstantText(webhook.updatedAt)],
      ])
    })
  },
}
