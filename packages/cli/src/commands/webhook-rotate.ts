import { webhookRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly revoke?: boolean
}

export const webhookRotate: Verb = {
  name: 'rotate',
  summary: 'Make a new secret for a webhook',
  details:
    'It is shown this once. Events are signed with the new and the old one for another day, so that the receiver can ' +
    'change over meanwhile; with --revoke at once with the new one alone.',
  examples: ['rollcall webhook rotate shop', 'rollcall webhook rotate shop --revoke'],
  define: (command, session) => {
    command
      .argument('<name>', 'of the webhook')
      .option('--revoke', 'sign nothing with the old secret any more')
      .action(async (name: string, { revoke = false }: Options) => {
        const { webhook, secret } = await session.withUseCases(({ rotateWebhookSecret }, caller) =>
          rotateWebhookSecret.execute({ name, revoke }, caller),
        )
        const until = webhook.previousSecret?.until
        const old = until === undefined ? 'no more' : `until ${shortInstantText(until)}`
        const sentence = `The new secret of ${webhook.name}, shown this once: ${secret} The old one signs ${old}.`
        await session.answer({ webhook: webhookRecord(webhook), secret }, sentence)
      })
  },
}
