import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import { type Feed, type FeedLogo, logoOf } from '@rollcall/core'
import {
  type ConsoleOptions,
  createConsoleServer,
  ProviderLogin,
  readTexts,
  SHIPPED_TEXTS,
} from '@rollcall/http-console'
import { createPagePreviews } from '@rollcall/http-koa'
import { createMailPreviews } from '@rollcall/mail'
import type { Config } from './config.ts'
import { formOf } from './embedded-form.ts'
import { foreignFiles } from './foreign-files.ts'
import { listen } from './listen.ts'
import { templatesIn } from './mail-transport.ts'
import { openPages } from './pages.ts'
import type { Service } from './service.ts'

type Shown = Pick<Service, 'config' | 'log' | 'useCases' | 'clock' | 'metrics' | 'tracing'>

/** The console for operators, on a port of its own; undefined if there is none. */
export interface ServedConsole {
  /** Takes nothing new, and waits for what is under way for at most so many milliseconds. */
  close(atMost: number): Promise<void>
}

/**
 * @throws {StartupError} it cannot listen there
 * @throws {TextsNotUsable} the texts of the deployer cannot be used
 */
export const serveConsole = async (service: Shown): Promise<ServedConsole | undefined> => {
  const { config, log } = service
  const { CONSOLE_HOST: host, CONSOLE_PORT: port } = config
  const options = consoleOptionsOf(service)
  if (port === undefined || options === undefined) return undefined
  const server = createConsoleServer(options)
  const settings = { hostSetting: 'ROLLCALL_CONSOLE_HOST', portSetting: 'ROLLCALL_CONSOLE_PORT' }
  await listen(server, { host, port, ...settings })
  log.info({ url: options.url }, 'the console listens: log in with `rollcall console login`')
  return { close: (atMost) => closed(server, atMost) }
}

const closed = async (server: Server, atMost: number): Promise<void> => {
  if (!server.listening) return
  const over = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const breakOff = setTimeout(() => server.closeAllConnections(), atMost)
  await over
  clearTimeout(breakOff)
}

/** What the console is made of, if the configuration asks for one. */
const consoleOptionsOf = ({ config, log, useCases, clock, metrics, tracing }: Shown): ConsoleOptions | undefined => {
  const { consoleUrl, publicUrl, DATA_DIR, DELETE_GRACE } = config
  if (consoleUrl === undefined) return undefined
  const texts = path.join(DATA_DIR, 'console.json')
  const pages = openPages(config)
  const forms = createPagePreviews(publicUrl, pages)
  const logo = async (feed: Feed, given: FeedLogo | null | undefined) =>
    given === undefined ? await logoOf(useCases.readers.feeds, feed) : (given ?? undefined)
  const mails = createMailPreviews({ publicUrl, templatesDir: templatesIn(DATA_DIR) })
  return {
    useCases,
    url: consoleUrl,
    publicUrl,
    deleteGrace: DELETE_GRACE,
    theme: pages?.style.theme ?? '',
    texts: existsSync(texts) ? readTexts(texts) : SHIPPED_TEXTS,
    previews: {
      mails: {
        languages: mails.languages,
        show: async (feed, language, kind, given) => mails.mail(feed, language, kind, await logo(feed, given)),
      },
      forms: {
        languages: forms.languages,
        show: async (feed, language, page, given) =>
          forms.page(page, { feed, logo: await logo(feed, given) }, language),
      },
      embedded: (feed) => formOf(config, feed, { style: true }),
    },
    foreign: foreignFiles(useCases, () => new Date(clock.now()).toISOString().slice(0, 10)),
    provider: providerLoginOf(config),
    now: () => clock.now(),
    tracing: tracing?.http,
    onLoginRefused: (reason) => metrics.loginRefused(reason),
    log,
  }
}

const providerLoginOf = (config: Config): ProviderLogin | undefined => {
  const { provider, CONSOLE_CLIENT_ID: clientId, CONSOLE_CLIENT_SECRET: clientSecret, CONSOLE_SCOPE: scope } = config
  if (provider === undefined || clientId === undefined) return undefined
  const { issuer, subjectClaim = 'sub' } = provider
  return new ProviderLogin({ issuer, clientId, clientSecret, scope, subjectClaim })
}
