import { EVENT_TYPES, webhookRecord } from '@rollcall/core'
import { collected } from '../option-values.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly url: string
  readonly type?: readonly string[]
  readonly disabled?: boolean
}

const RULES =
  'A new webhook is sent the events from then on, each as a CloudEvent that is signed as Standard Webhooks ' +
  'defines. Its secret is shown only once: keep it. Replaces the whole record except the secret; a disabled ' +
  'webhook is enabled again, unless --disabled is given, and is sent the events that have waited.'

export const webhookPut: Verb = {
  name: 'put',
  summary: 'Send events to a URL, or change where and which',
  details: RULES,
  examples: [
    'rollcall webhook put shop --url https://shop.example.com/events',
    'rollcall webhook put shop --url https://shop.example.com/events --type user.created --type user.deleted',
  ],
  define: (command, session) => {
    command
      .argument('<name>', 'of the webhook: a-z, 0-9 and hyphen')
      .requiredOption('--url <url>', 'where to: https, unless the address is among those that are allowed')
      .option(
        '--type <type>',
        `which events; give again for another, or not at all for all of ${EVENT_TYPES.join(', ')}`,
        collected,
      )
      .option('--disabled', 'send nothing there for now: what happens waits')
      .action(async (name: string, { url, type: types, disabled = false }: Options) => {
        const { webhook, created, secret } = await session.withUseCases(({ putWebhook }, caller) =>
          putWebhook.execute({ name, url, types, enabled: !disabled }, caller),
        )
        const shown = secret === undefined ? '' : ` Its secret, shown this once: ${secret}`
        const sentence = `${created ? 'Created' : 'Replaced'} webhook ${webhook.name}.${shown}`
        await session.answer({ created, webhook: webhookRecord(webhook), secret: secret ?? null }, sentence)
      })
  },
}
