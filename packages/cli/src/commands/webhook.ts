import type { Webhook } from '@rollcall/client'
import { EVENT_TYPES } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { listVerb } from '../listing.ts'
import { agree, requireTerminal } from '../question.ts'
import { printRecord } from '../table-printer.ts'
import { counted, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'
import { webhookNamed, webhookPut, webhookSet } from './webhook-change.ts'

const DISABLED = {
  'by-hand': 'disabled by hand',
  failing: 'disabled: it accepted nothing for three days',
  gone: 'disabled: it answered 410',
} as const

/** Whether anything is sent there, and taken; and if not, why. */
const stateOf = (webhook: Webhook): string => {
  const { enabled, disabled_because: because, failing_since: failing } = webhook
  if (enabled || because === null) return failing ? 'failing' : 'enabled'
  // A later server may have other reasons.
  return Object.hasOwn(DISABLED, because) ? DISABLED[because] : `disabled: ${because}`
}

const typesOf = ({ types }: Webhook): string =>
  EVENT_TYPES.every((type) => types.includes(type)) ? 'all' : types.join(' ')

const list = listVerb({
  summary: 'List where events are sent',
  examples: ['rollcall webhook list', 'rollcall webhook list --json'],
  page: (service, { limit, cursor }) => service.ask('listWebhooks', { limit, cursor }),
  columns: [
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'URL', cell: ({ url }) => url },
    { head: 'STATE', cell: stateOf },
    { head: 'FAILING SINCE', cell: ({ failing_since }) => shortInstantText(failing_since) },
    { head: 'CREATED', cell: ({ created_at }) => shortInstantText(created_at) },
    { head: 'TYPES', cell: typesOf },
  ],
  nothing: 'There are no webhooks.',
})

const show: Verb = {
  name: 'show',
  summary: 'Show where events are sent, and its state',
  details: 'Its secret is never shown again: if it is lost, make a new one with `rollcall webhook rotate`.',
  examples: ['rollcall webhook show shop', 'rollcall webhook show shop --json'],
  define: (command, session) =>
    command.argument('<name>', 'of the webhook').action(async (name: string) => {
      const webhook = await session.ask('getWebhook', webhookNamed(name))
      await printRecord(session, webhook, [
        ['Name', webhook.name],
        ['URL', webhook.url],
        ['Types', typesOf(webhook)],
        ['State', stateOf(webhook)],
        ['Failing since', shortInstantText(webhook.failing_since)],
        ['Disabled', shortInstantText(webhook.disabled_since)],
        ['Old secret until', shortInstantText(webhook.previous_secret_until)],
        ['Created', shortInstantText(webhook.created_at)],
        ['Updated', shortInstantText(webhook.updated_at)],
      ])
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
        if (!yes) requireTerminal(session)
        await session.withService(async (service) => {
          if (!yes) {
            const { url } = await service.ask('getWebhook', webhookNamed(name))
            await session.note(`Webhook ${name}: ${url}.`)
            await agree(session, 'Delete this webhook permanently?')
          }
          await service.ask('deleteWebhook', webhookNamed(name))
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
      .option('--revoke', 'sign nothing with old secrets any more')
      .action(async (name: string, { revoke = false }: { readonly revoke?: boolean }) => {
        const { secret, ...webhook } = await session.ask('rotateWebhookSecret', {
          ...webhookNamed(name),
          body: { revoke },
        })
        const until = webhook.previous_secret_until
        const old = until === null ? 'no more' : `until ${shortInstantText(until)}`
        const sentence = `The new secret of ${webhook.name}, shown this once: ${secret} The old one signs ${old}.`
        await session.answer({ webhook, secret }, sentence)
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
        await session.withService(async (service) => {
          const redelivery = await service.ask('redeliverEvents', { ...webhookNamed(name), body: { ...options } })
          const { webhook, after, retried } = redelivery
          // Who may change it may not be one who may see it.
          const shown = await service.ask('getWebhook', webhookNamed(name)).catch(() => undefined)
          const then = shown?.enabled === false ? ' once it is enabled' : ''
          const again = `will be sent to ${webhook} again${then}.`
          let sentence = `${webhook} was not sent any event after that one yet: they will be sent in their order${then}.`
          if (options.parked) sentence = `${counted(retried, 'event')} ${again}`
          else if (after !== null)
            sentence = `Everything ${Number(after) === 0 ? 'that is still stored' : `after ${after}`} ${again}`
          await session.answer(redelivery, sentence)
        })
      }),
}

export const verbs: readonly Verb[] = [list, show, webhookPut, webhookSet, deletion, rotate, redeliver]
