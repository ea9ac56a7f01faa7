import type { Webhook } from '@rollcall/client'
import { EVENT_TYPES, parseWebhookName, WebhookNotFound } from '@rollcall/core'
import { type Command, Option } from 'commander'
import { lostByWebhook, putting, requireSomething } from '../losses.ts'
import { collected } from '../options.ts'
import { inPath } from '../service/service.ts'
import type { Verb } from '../verb.ts'

export const webhookNamed = (name: string) => ({ name: inPath(WebhookNotFound, name) })

interface PutOptions {
  readonly url: string
  readonly type?: readonly string[]
  readonly disabled?: boolean
  readonly yes?: boolean
}

const TYPES = `which events; give again for another, or not at all for all of ${EVENT_TYPES.join(', ')}`
const URL = 'where to: https, unless the address is among those that are allowed'

export const webhookPut: Verb = {
  name: 'put',
  summary: 'Send events to a URL, or change where and which',
  details:
    'A new webhook is sent the events from then on, each as a CloudEvent that is signed as Standard Webhooks defines. Its secret is shown only once: keep it. Replaces the whole record except the secret; a disabled webhook is enabled again, unless --disabled is given, and is sent the events that have waited. It says which events are no longer sent, and asks where there is a terminal. To keep the rest, use `rollcall webhook set`.',
  examples: [
    'rollcall webhook put shop --url https://shop.example.com/events',
    'rollcall webhook put shop --url https://shop.example.com/events --type user.created --type user.deleted',
  ],
  define: (command, session) =>
    command
      .argument('<name>', 'of the webhook: a-z, 0-9 and hyphen')
      .requiredOption('--url <url>', URL)
      .option('--type <type>', TYPES, collected)
      .option('--disabled', 'send nothing there for now: what happens waits')
      .option('--yes', 'do not ask')
      .action(
        async (name: string, { url, type: types, disabled = false, yes = false }: PutOptions, command: Command) => {
          const body = { url, types, enabled: !disabled }
          const { record, created } = await session.withService(async (service) => {
            const named = { name: parseWebhookName(name) }
            return await putting<Webhook & { readonly secret?: string }>(session, command, {
              noun: 'webhook',
              id: name,
              yes,
              find: () => service.ask('getWebhook', named),
              lost: (current) => lostByWebhook(current, body),
              put: (asked) => service.answer('putWebhook', { ...named, body }, asked),
            })
          })
          const { secret, ...webhook } = record
          const shown = secret === undefined ? '' : ` Its secret, shown this once: ${secret}`
          const sentence = `${created ? 'Created' : 'Replaced'} webhook ${webhook.name}.${shown}`
          await session.answer({ created, webhook, secret: secret ?? null }, sentence)
        },
      ),
}

interface SetOptions {
  readonly url?: string
  readonly type?: readonly string[] | false
  readonly enabled?: boolean
  readonly disabled?: boolean
}

export const webhookSet: Verb = {
  name: 'set',
  summary: 'Change some things about a webhook, and keep the rest',
  details:
    'The types that are given are all that it is sent from then on. One that is enabled again is sent the events that ' +
    'have waited.',
  examples: [
    'rollcall webhook set shop --disabled',
    'rollcall webhook set shop --url https://shop.example.com/hook --enabled',
    'rollcall webhook set shop --type user.created --type user.deleted',
  ],
  define: (command, session) =>
    command
      .argument('<name>', 'of the webhook')
      .option('--url <url>', URL)
      .option('--type <type>', 'which events; give again for another', collected)
      .option('--no-type', 'all of them')
      .option('--enabled', 'send events there')
      .addOption(new Option('--disabled', 'send nothing there for now: what happens waits').conflicts('enabled'))
      .action(async (name: string, options: SetOptions) => {
        requireSomething(options)
        const { url, type, enabled, disabled } = options
        const types = type === false ? [] : type
        const body = { url, types, enabled: disabled ? false : enabled }
        const webhook = await session.ask('patchWebhook', { ...webhookNamed(name), body })
        await session.answer(webhook, `Changed webhook ${webhook.name}.`)
      }),
}
