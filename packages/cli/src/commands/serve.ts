import { wholeNumber } from '../options.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly port?: number
  readonly open?: boolean
}

export const serve: Verb = {
  name: 'serve',
  summary: 'Migrate, then serve HTTP and deliver the mails and events of the outbox',
  details: 'Stops on Ctrl-C or SIGTERM, when what is in flight is done.',
  onlyHere: 'Serving',
  examples: ['rollcall serve', 'rollcall serve --port 3000 --open'],
  define: (command, session) =>
    command
      .option('--port <number>', 'listen here instead of at the configured port', wholeNumber(1, 65_535))
      .option('--open', 'show the sign-up page in a browser')
      .action(async ({ port, open = false }: Options) => {
        const { host, io, json } = session
        session.exitCode = await host.serve({ port, open, json }, io.signal)
      }),
}
