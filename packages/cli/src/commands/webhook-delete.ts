import { agree, requireTerminal } from '../question.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly yes?: boolean
}

export const webhookDelete: Verb = {
  name: 'delete',
  summary: 'Send no events there any more',
  details: 'Events that were not delivered there yet are discarded.',
  examples: ['rollcall webhook delete shop', 'rollcall webhook delete shop --yes'],
  define: (command, session) => {
    command
      .argument('<name>', 'of the webhook')
      .option('--yes', 'do not ask')
      .action(async (name: string, { yes = false }: Options) => {
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
      })
  },
}
