import { type DescribedWebhook, EVENT_TYPES, redeliveryRecord, sortableCursorOf, webhookRecord } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { listVerb } from '../listing.ts'
import { collected } from '../options.ts'
import { agree, requireTerminal } from '../question.ts'
import { printRecord } from '../table-printer.ts'
import { counted, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const DISABLED = {
  'by-hand': 'disabled by hand',
  failing: 'disabled: it accepted nothing for three days',
  gone: 'disabled: it answered 410',
} as const

/** Whether anything is sent there; and if not, why. */
const stateOf = ({ disabled }: DescribedWebhook): string =>
  disabled === undefined ? 'enabled' : DISABLED[disabled.because]

const list = listVerb({
  summary: 'List where events are sent',
  examples: ['rollcall webhook list', 'rollcall webhook list --json'],
  page: ({ listWebhooks }, request, caller) => listWebhooks.execute(request, caller),
  columns: [
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'URL', cell: ({ url }) => url },
    { head: 'STATE', cell: stateOf },
    { head: 'CREATED', cell: ({ createdAt }) => shortInstantText(createdAt) },
    { head: 'TYPES', cell: ({ types }) => types.join(' ') },
  ],
  representation: webhookRecord,
  nothing: 'There are no webhooks.',
})

const show: Verb = {
  name: 'show',
  summary: 'Show where events are sent, and its state',
  details: 'Its secret is never shown again: if it is lost, make a new one with `rollcall webhook rotate`.',
  examples: ['rollcall webhook show shop', 'rollcall webhook show shop --json'],
  define: (command, session) =>
    command.argument('<name>', 'of the webhook').action(async (name: string) => {
      const webhook = await session.execute('getWebhook', { name })
      await printRecord(session, webhookRecord(webhook), [
        ['Name', webhook.name],
        ['URL', webhook.url],
        ['Types', webhook.types.join(' ')],
        ['State', stateOf(webhook)],
        ['Disabled', shortInstantText(webhook.disabled?.since)],
        ['Old secret until', shortInstantText(webhook.previousSecret?.until)],
        ['Created', shortInstantText(webhook.createdAt)],
        ['Updated', shortInstantText(webhook.updatedAt)],
      ])
    }),
}

interface PutOptions {
  readonly url: string
  readonly type?: readonly string[]
  readonly disabled?: boolean
}

const TYPES = `which events; give again for another, or not at all for all of ${EVENT_TYPES.join(', ')}`

const put: Verb = {
  name: 'put',
  summary: 'Send events to a URL, or change where and which',
  details:
    'A new webhook is sent the events from then on, each as a CloudEvent that is signed as Standard Webhooks ' +
    'defines. Its secret is shown only once: keep it. Replaces the whole record except the secret; a disabled ' +
    'webhook is enabled again, unless --disabled is given, and is sent the events that have waited.',
  examples: [
    'rollcall webhook put shop --url https://shop.example.com/events',
    'rollcall webhook put shop --url https://shop.example.com/events --type user.created --type user.deleted',
  ],
  define: (command, session) =>
    command
      .argument('<name>', 'of the webhook: a-z, 0-9 and hyphen')
      .requiredOption('--url <url>', 'where to: https, unless the address is among those that are allowed')
      .option('--type <type>', TYPES, collected)
      .option('--disabled', 'send nothing there for now: what happens waits')
      .action(async (name: string, { url, type: types, disabled = false }: PutOptions) => {
        const order = { name, url, types, enabled: !disabled }
        const { webhook, created, secret } = await session.execute('putWebhook', order)
        const shown = secret === undefined ? '' : ` Its secret, shown this once: ${secret}`
        const sentence = `${created ? 'Created' : 'Replaced'} webhook ${webhook.name}.${shown}`
        await session.answer({ created, webhook: webhookRecord(webhook), secret: secret ?? null }, sentence)
      }),
}

const deletion: Verb = {
  name: 'delete',
  summary: 'Send no events there any more',
  details: 'Events that were not delivered there yet are discarded.',
  examples: ['rollcall webhook delete shop', 'rollcall webhook delete shop --yes'],
  define: (command, session) =>
    command
      .argument('<name>', 'of the webhook')
      .option('--yes', 'do not ask')
      .action(async (name: string, { yes = false }: { readonly yes?: boolean }) => {
        if (!yes) requireTerminal(session.io)
        await session.withUseCases(async ({ getWebhook, deleteWebhook }, caller) => {
          if (!yes) {
            const { url } = await getWebhook.execute({ name }, caller)
            await session.note(`Webhook ${name}: ${url}.`)
            await agree(session, 'Delete this webhook permanently?')
          }
          await deleteWebhook.execute({ name }, caller)
          await session.answer({ name, outcome: 'deleted' }, `Deleted webhook ${name}.`)
        })
      }),
}

const rotate: Verb = {
  name: 'rotate',
  summary: 'Make a new secret for a webhook',
  details:
    'It is shown this once. Events are signed with the new and the old one for another day, so that the receiver can ' +
    'change over meanwhile; with --revoke at once with the new one alone.',
  examples: ['rollcall webhook rotate shop', 'rollcall webhook rotate shop --revoke'],
  define: (command, session) =>
    command
      .argument('<name>', 'of the webhook')
      .option('--revoke', 'sign nothing with the old secret any more')
      .action(async (name: string, { revoke = false }: { readonly revoke?: boolean }) => {
        const { webhook, secret } = await session.execute('rotateWebhookSecret', { name, revoke })
        const until = webhook.previousSecret?.until
        const old = until === undefined ? 'no more' : `until ${shortInstantText(until)}`
        const sentence = `The new secret of ${webhook.name}, shown this once: ${secret} The old one signs ${old}.`
        await session.answer({ webhook: webhookRecord(webhook), secret }, sentence)
      }),
}

interface RedeliverOptions {
  readonly after?: string
  readonly since?: string
  readonly parked?: boolean
}

const redeliver: Verb = {
  name: 'redeliver',
  summary: 'Send events again',
  details:
    'Each under the webhook-id that it had, so that a receiver knows what it has seen. Events are kept for 30 days; ' +
    'those of a person who was erased meanwhile hold ids alone.',
  examples: [
    'rollcall webhook redeliver shop --parked',
    'rollcall webhook redeliver shop --after 367',
    'rollcall webhook redeliver shop --since 2026-11-20T08:00:00Z',
  ],
  define: (command, session) =>
    command
      .argument('<name>', 'of the webhook')
      .option('--after <sequence>', 'all after this event, as `rollcall event list` shows it; 0 for all')
      .option('--since <time>', 'all from this time on')
      .option('--parked', 'those that were given up')
      .action(async (name: string, options: RedeliverOptions) => {
        if (Object.keys(options).length !== 1) throw usageError('Give one of --after, --since and --parked.')
        const redelivery = await session.execute('redeliverEvents', { name, ...options })
        const { webhook, after, retried } = redelivery
        let sentence = `${webhook} was not sent any event after that one yet: they will be sent in their order.`
        if (options.parked) sentence = `${counted(retried, 'event')} will be sent to ${webhook} again.`
        else if (after !== undefined)
          sentence = `Everything after ${sortableCursorOf(after)} will be sent to ${webhook} again.`
        await session.answer(redeliveryRecord(redelivery), sentence)
      }),
}

export const verbs: readonly Verb[] = [list, show, put, deletion, rotate, redeliver]
