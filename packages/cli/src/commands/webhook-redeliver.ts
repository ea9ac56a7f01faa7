import { type Redelivery, redeliveryRecord, sortableCursorOf } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { counted } from '../counted.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly after?: string
  readonly since?: string
  readonly parked?: boolean
}

export const webhookRedeliver: Verb = {
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
  define: (command, session) => {
    command
      .argument('<name>', 'of the webhook')
      .option('--after <sequence>', 'all after this event, as `rollcall event list` shows it; 0 for all')
      .option('--since <time>', 'all from this time on')
      .option('--parked', 'those that were given up')
      .action(async (name: string, options: Options) => {
        if (Object.keys(options).length !== 1) throw usageError('Give one of --after, --since and --parked.')
        const redelivery = await session.withUseCases(({ redeliverEvents }, caller) =>
          redeliverEvents.execute({ name, ...options }, caller),
        )
        await session.answer(redeliveryRecord(redelivery), sentence(redelivery, options))
      })
  },
}

const sentence = ({ webhook, after, retried }: Redelivery, { parked = false }: Options): string => {
  if (parked) return `${counted(retried, 'event')} will be sent to ${webhook} again.`
  return after === undefined
    ? `${webhook} was not sent any event after that one yet: they will be sent in their order.`
    : `Everything after ${sortableCursorOf(after)} will be sent to ${webhook} again.`
}
