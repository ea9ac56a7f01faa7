import { Option } from 'commander'
import { interrupted } from '../cli-error.ts'
import { counted } from '../counted.ts'
import { progressOf } from '../progress.ts'
import { agree, requireTerminal } from '../question.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly subscriptions?: 'keep' | 'erase'
  readonly reason?: string
  readonly yes?: boolean
}

const RULES =
  'A feed with subscriptions is refused, unless --subscriptions erase says that they are erased, too. Then it ' +
  'takes no new ones, and they are erased step by step. That can be stopped with Ctrl-C; the same command goes ' +
  'on.'

export const feedDelete: Verb = {
  name: 'delete',
  summary: 'Delete a feed permanently',
  details: RULES,
  examples: [
    'rollcall feed delete news',
    'rollcall feed delete news --subscriptions erase --reason "the paper closed"',
  ],
  define: (command, session) => {
    command
      .argument('<name>', 'of the feed')
      .addOption(
        new Option('--subscriptions <fate>', 'what becomes of its subscriptions (default: keep)').choices([
          'keep',
          'erase',
        ]),
      )
      .option('--reason <text>', 'why, for the audit trail')
      .option('--yes', 'do not ask')
      .action(async (name: string, { subscriptions, reason, yes = false }: Options) => {
        if (!yes) requireTerminal(session.io)
        await session.withUseCases(async ({ getFeed, deleteFeed }, caller) => {
          if (!yes) {
            const { title } = await getFeed.execute({ name }, caller)
            const fate = subscriptions === 'erase' ? 'All its subscriptions are erased, too.' : 'It must be empty.'
            await session.note(`Feed ${name}: ${title}. ${fate}`)
            await agree(session, 'Delete this feed permanently?')
          }
          const progress = progressOf(session, { doing: 'Erasing', total: undefined })
          let done = 0
          const onProgress = (erased: number): void => {
            done += erased
            progress?.reach(done)
            if (session.io.signal.aborted) throw interrupted('Interrupted. Run the same command again to finish.')
          }
          const { subscriptionsErased: erased } = await deleteFeed
            .execute({ name, subscriptions, reason, onProgress }, caller)
            .finally(() => progress?.stop())
          const went = erased === undefined ? '' : ` ${counted(erased, 'subscription')} erased.`
          const document = { name, outcome: 'deleted', subscriptions_erased: erased ?? null }
          await session.answer(document, `Deleted feed ${name}.${went}`)
        })
      })
  },
}
